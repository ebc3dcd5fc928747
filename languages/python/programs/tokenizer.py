# A tokenizer of HTML, a state each method, and a tree of its tokens. args: pages.
# args: 500
# quick: 2
import sys

PAGE = '''<!DOCTYPE html>
<html lang="en"><head><title>Page %d</title><!-- made up --></head>
<body class='wide dark' data-n=%d>
<h1>About &lt;things&gt; &amp; others</h1>
<ul id=list><li>first<li class="odd">second <b>bold <i>both</i></b><li>third</ul>
<p>Some <a href="/there?a=1&amp;b=2" title='x "y" z'>link</a>, a break<br/>and <img src=p.png alt="">.
<table><tr><td>1</td><td align = right>2</td></tr></table>
<p>5 < 6 and 7 &unknown; 8</body></html>
'''

NAMED = {'lt': '<', 'gt': '>', 'amp': '&', 'quot': '"'}
EMPTY = frozenset(['br', 'img', 'hr', 'meta'])


class Token:
    kind = ''

    def __init__(self, text):
        self.text = text


class Text(Token):
    kind = 'text'


class Comment(Token):
    kind = 'comment'


class Start(Token):
    kind = 'start'

    def __init__(self, text):
        super().__init__(text)
        self.attributes = {}
        self.closed = False


class End(Token):
    kind = 'end'


class Tokenizer:
    def __init__(self, page):
        self.page = page
        self.at = 0
        self.kept = []

    def __iter__(self):
        while self.at < len(self.page):
            c = self.page[self.at]
            if c == '<' and self.follows():
                if self.kept:
                    yield Text(''.join(self.kept))
                    self.kept = []
                yield self.tag()
            elif c == '&':
                self.kept.append(self.reference())
            else:
                self.kept.append(c)
                self.at += 1
        if self.kept:
            yield Text(''.join(self.kept))

    def follows(self):
        c = self.page[self.at + 1:self.at + 2]
        return c.isalpha() or c in ('/', '!')

    def reference(self):
        end = self.page.find(';', self.at, self.at + 10)
        name = self.page[self.at + 1:end] if end > 0 else ''
        if name in NAMED:
            self.at = end + 1
            return NAMED[name]
        self.at += 1
        return '&'

    def tag(self):
        page = self.page
        if page.startswith('<!', self.at):
            mark = '-->' if page.startswith('<!--', self.at) else '>'
            end = page.index(mark, self.at)
            token = Comment(page[self.at:end])
            self.at = end + len(mark)
            return token
        if page[self.at + 1] == '/':
            end = page.index('>', self.at)
            token = End(page[self.at + 2:end].strip().lower())
            self.at = end + 1
            return token
        self.at += 1
        token = Start(self.word('/>').lower())
        while True:
            self.blank()
            c = page[self.at]
            if c == '>':
                self.at += 1
                return token
            if c == '/':
                token.closed = True
                self.at += 1
                continue
            self.attribute(token)

    def attribute(self, token):
        name = self.word('=/>').lower()
        self.blank()
        if self.page[self.at] != '=':
            token.attributes[name] = ''
            return
        self.at += 1
        self.blank()
        quote = self.page[self.at]
        if quote in ('"', "'"):
            self.at += 1
            value = []
            while self.page[self.at] != quote:
                if self.page[self.at] == '&':
                    value.append(self.reference())
                else:
                    value.append(self.page[self.at])
                    self.at += 1
            self.at += 1
            token.attributes[name] = ''.join(value)
        else:
            token.attributes[name] = self.word('>')

    def word(self, ends):
        begin = self.at
        while self.page[self.at] not in ends and not self.page[self.at].isspace():
            self.at += 1
        return self.page[begin:self.at]

    def blank(self):
        while self.page[self.at].isspace():
            self.at += 1


def tree(tokens):
    root = ('', {}, [])
    open_tags = [root]
    for token in tokens:
        if token.kind == 'start':
            if token.text == 'li' and open_tags[-1][0] == 'li':
                open_tags.pop()
            node = (token.text, token.attributes, [])
            open_tags[-1][2].append(node)
            if not token.closed and token.text not in EMPTY:
                open_tags.append(node)
        elif token.kind == 'end':
            names = [node[0] for node in open_tags]
            if token.text in names:
                while open_tags.pop()[0] != token.text:
                    pass
        elif token.kind == 'text' and token.text.strip():
            open_tags[-1][2].append(token.text)
    return root


def measured(node, depth=0):
    if isinstance(node, str):
        return depth, len(node), 0
    name, attributes, children = node
    deepest, length, count = depth, 0, len(attributes)
    for child in children:
        d, l, c = measured(child, depth + 1)
        deepest = max(deepest, d)
        length += l
        count += c
    return deepest, length, count


def main(n):
    kinds = {}
    sums = [0, 0, 0]
    for k in range(n):
        tokens = list(Tokenizer(PAGE % (k, k * k)))
        for token in tokens:
            kinds[token.kind] = kinds.get(token.kind, 0) + 1
        for at, value in enumerate(measured(tree(tokens))):
            sums[at] += value
    print(kinds, sums)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
