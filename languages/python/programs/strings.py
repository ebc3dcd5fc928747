# Texts that are built, cut, searched and put together again. args: paragraphs.
# args: 700
# quick: 10
import sys

WORDS = ('time', 'water', 'stone', 'glass', 'river', 'light', 'door', 'paper', 'wind', 'salt')


def paragraph(seed):
    text = ''
    for k in range(60):
        seed = (seed * 75 + 74) % 65537
        word = WORDS[seed % len(WORDS)]
        if k % 9 == 0:
            word = word.capitalize()
        text += word
        text += '. ' if k % 9 == 8 else ' '
    return text.strip()


def wrapped(text, width):
    lines, line = [], ''
    for word in text.split(' '):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = line + ' ' + word if line else word
    lines.append(line)
    return lines


def turned(text):
    out = []
    for c in text:
        if 'a' <= c <= 'z':
            out.append(chr((ord(c) - 97 + 13) % 26 + 97))
        else:
            out.append(c)
    return ''.join(out)


def vowels(text):
    count = 0
    for c in text:
        if c in 'aeiou':
            count += 1
    return count


def main(n):
    total = 0
    longest = ''
    counts = {}
    for k in range(n):
        text = paragraph(k)
        lines = wrapped(text, 40)
        total += len(lines) + vowels(text)
        for line in lines:
            if len(line) > len(longest):
                longest = line
        for word in text.lower().replace('.', '').split():
            counts[word] = counts.get(word, 0) + 1
        assert turned(turned(text)) == text
        total += text.count('ter') + text.find('salt')
    common = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
    print(total, longest, ', '.join(['%s=%d' % pair for pair in common]))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
