# A template engine: texts become trees of nodes, which render themselves in a context. args: pages.
# args: 1500
# quick: 5
import sys

PAGE = '''<h1>{{ title|upper }}</h1>
{% if rows %}<table>
{% for row in rows %}<tr class="{% if row.odd %}odd{% else %}even{% endif %}">
{% for cell in row.cells %}<td>{{ cell|escape }}</td>{% endfor %}
</tr>{% endfor %}
</table>{% else %}<p>Nothing.</p>{% endif %}
<p>{{ author.name|title }} wrote {{ rows|length }} rows{{ missing|default }}.</p>
'''


class Node:
    def render(self, context, out):
        raise NotImplementedError


class Text(Node):
    def __init__(self, text):
        self.text = text

    def render(self, context, out):
        out.append(self.text)


class Value(Node):
    def __init__(self, expression):
        name, *filters = expression.split('|')
        self.path = name.strip().split('.')
        self.filters = [FILTERS[name.strip()] for name in filters]

    def value(self, context):
        value = context.get(self.path[0])
        for part in self.path[1:]:
            if isinstance(value, dict):
                value = value.get(part)
            else:
                value = getattr(value, part, None)
        for change in self.filters:
            value = change(value)
        return value

    def render(self, context, out):
        out.append(str(self.value(context)))


class If(Node):
    def __init__(self, condition, then, otherwise):
        self.condition = condition
        self.then = then
        self.otherwise = otherwise

    def render(self, context, out):
        chosen = self.then if self.condition.value(context) else self.otherwise
        for node in chosen:
            node.render(context, out)


class For(Node):
    def __init__(self, name, items, body):
        self.name = name
        self.items = items
        self.body = body

    def render(self, context, out):
        for item in self.items.value(context) or ():
            inner = dict(context)
            inner[self.name] = item
            for node in self.body:
                node.render(inner, out)


def escaped(value):
    text = str(value)
    for plain, name in (('&', '&amp;'), ('<', '&lt;'), ('>', '&gt;')):
        text = text.replace(plain, name)
    return text


FILTERS = {
    'upper': lambda value: str(value).upper(),
    'title': lambda value: str(value).title(),
    'length': len,
    'escape': escaped,
    'default': lambda value: '' if value is None else value,
}


class Parser:
    def __init__(self, text):
        self.parts = list(self.split(text))
        self.at = 0

    @staticmethod
    def split(text):
        while text:
            starts = [at for at in (text.find('{{'), text.find('{%')) if at >= 0]
            if not starts:
                yield 'text', text
                return
            begin = min(starts)
            if begin:
                yield 'text', text[:begin]
            is_value = text.startswith('{{', begin)
            end = text.index('}}' if is_value else '%}', begin)
            yield 'value' if is_value else 'tag', text[begin + 2:end].strip()
            text = text[end + 2:]

    def nodes(self, *ends):
        nodes = []
        while self.at < len(self.parts):
            kind, text = self.parts[self.at]
            self.at += 1
            if kind == 'text':
                nodes.append(Text(text))
            elif kind == 'value':
                nodes.append(Value(text))
            elif text in ends:
                return nodes, text
            else:
                nodes.append(self.tag(text.split()))
        return nodes, ''

    def tag(self, words):
        if words[0] == 'for':
            body, _ = self.nodes('endfor')
            return For(words[1], Value(words[3]), body)
        then, end = self.nodes('else', 'endif')
        otherwise = self.nodes('endif')[0] if end == 'else' else []
        return If(Value(words[1]), then, otherwise)


class Author:
    def __init__(self, name):
        self.name = name


def main(n):
    template, _ = Parser(PAGE).nodes()
    length = 0
    for k in range(n):
        cells = [k, 'a<b', 'x & y', k * 0.5]
        rows = [{'odd': r % 2, 'cells': cells[r % 3:]} for r in range(k % 12)]
        out = []
        context = {'title': 'page %d' % k, 'rows': rows, 'author': Author('some one')}
        for node in template:
            node.render(context, out)
        page = ''.join(out)
        length += len(page)
    print(length, page.count('<td>'), page.splitlines()[0])


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
