# Kinds of characters, case, and numbers in other scripts.
TEXTS = ['5', '٣', '²', '½', '三', 'Ⅷ', '①', '৪', '𝟗', 'x', 'é', '', '5x', '٣٤', '²³', '½¼', 'ß', '㉈', '፩', '〇', '-5', '1.5', '௧', '௰', '⁷', '₉', '❶', '🄀', '𐄇']
for text in TEXTS:
    print(ascii(text), text.isdecimal(), text.isdigit(), text.isnumeric(), text.isalnum(), text.isalpha())
for text in ['Straße', 'STRASSE', 'ΣΑΣ', 'ς', 'ﬁ', 'İ', 'ı', 'ǰ', 'ᾳ', 'ᾼ', 'Ꭰ', 'ꭰ', 'ſ', 'µ', 'K', 'Å', 'ẞ', 'ŉ', 'և', 'é', 'É', 'abc', 'ΰ', 'ﬓ']:
    print(ascii(text), ascii(text.casefold()), text.casefold() == text.lower())
print('Straße'.casefold() == 'STRASSE'.casefold(), sorted(['b', 'A', 'ß', 'Z'], key=str.casefold))
print(int('٣٤'), int('-৪'), int('１２３'), int(' ٣ '), int('٣_٤'), float('٣.٥'), complex('١+٢j') if False else '')
for wrong in ('²', '½', '三', 'Ⅷ'):
    try:
        print(int(wrong))
    except ValueError as error:
        print(ascii(str(error)))
print(f'{1234567:n}', f'{1.5:n}', f'{1e10:n}', f'{255:x}', f'{1234.5678:.3n}', f'{-0.0:z}', f'{-0.001:z.1f}', f'{-1.5:z.1f}', f'{0.0:z}', f'{-0.0:+z.2f}')
try:
    f'{5:z}'
except ValueError as error:
    print(error)
try:
    f'{"a":z}'
except ValueError as error:
    print(error)
