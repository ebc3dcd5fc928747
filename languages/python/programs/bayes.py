# A naive Bayesian classifier that learns what a message is about: dicts, strings. args: messages.
# args: 3500
# quick: 40
import sys
from math import log

SUBJECTS = {
    'garden': ('seed', 'rain', 'soil', 'rose', 'spade', 'green', 'bed', 'worm'),
    'kitchen': ('salt', 'oven', 'pan', 'flour', 'rose', 'green', 'spoon', 'bread'),
    'harbour': ('ship', 'rope', 'rain', 'salt', 'crane', 'wind', 'bed', 'quay'),
}
COMMON = ('the', 'and', 'of', 'with', 'near', 'old', 'new', 'some')


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1664525 + 1013904223) & 0xffffffff
        return (self.state >> 10) % n

    def choose(self, items):
        return items[self.below(len(items))]


def messages(n, random):
    names = sorted(SUBJECTS)
    for _ in range(n):
        subject = random.choose(names)
        words = []
        for _ in range(12):
            words.append(random.choose(SUBJECTS[subject]))
            words.append(random.choose(COMMON))
            if random.below(4) == 0:
                words.append(random.choose(SUBJECTS[random.choose(names)]))
        yield subject, ' '.join(words).capitalize() + '.'


def words_of(message):
    return [word.strip('.,').lower() for word in message.split()]


class Classifier:
    def __init__(self):
        self.counts = {}
        self.words = {}
        self.known = set()

    def learn(self, subject, message):
        self.counts[subject] = self.counts.get(subject, 0) + 1
        words = self.words.setdefault(subject, {})
        for word in words_of(message):
            words[word] = words.get(word, 0) + 1
            self.known.add(word)

    def scores(self, message):
        total = sum(self.counts.values())
        words = words_of(message)
        for subject, count in sorted(self.counts.items()):
            seen = self.words[subject]
            size = sum(seen.values()) + len(self.known)
            score = log(count / total)
            for word in words:
                score += log((seen.get(word, 0) + 1) / size)
            yield score, subject

    def guess(self, message):
        return max(self.scores(message))


def main(n):
    random = Random(5)
    classifier = Classifier()
    for subject, message in messages(n // 2, random):
        classifier.learn(subject, message)
    right = 0
    total = 0.0
    for subject, message in messages(n - n // 2, random):
        score, guessed = classifier.guess(message)
        right += guessed == subject
        total += score
    print(right, n - n // 2, len(classifier.known), '%.4f' % total)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
