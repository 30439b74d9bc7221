"""Asks PCRE 8 and PCRE2 about patterns, and prints what they say, a JSON array a line: [pattern, text, ignore case, PCRE 8, PCRE2].

python3 testing/regex/record.py random COUNT SEED   patterns made up from the parts of PCRE's syntax
python3 testing/regex/record.py given FILE          the patterns of a file, one a line, each with texts made from it

An answer is true, false, or null where PCRE refuses the pattern or gives up. The libraries are those of the system; the patterns are
compiled as httpd compiles them, without any option but the one for case.
"""
import ctypes
import json
import random
import re
import sys

PCRE = ctypes.CDLL('libpcre.so.3')
PCRE2 = ctypes.CDLL('libpcre2-8.so.0')
PCRE.pcre_compile.restype = ctypes.c_void_p
PCRE.pcre_compile.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
PCRE.pcre_exec.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
PCRE2.pcre2_compile_8.restype = ctypes.c_void_p
PCRE2.pcre2_compile_8.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
PCRE2.pcre2_match_data_create_8.restype = ctypes.c_void_p
PCRE2.pcre2_match_data_create_8.argtypes = [ctypes.c_uint32, ctypes.c_void_p]
PCRE2.pcre2_match_8.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
PCRE2.pcre2_code_free_8.argtypes = [ctypes.c_void_p]
DATA = PCRE2.pcre2_match_data_create_8(1, None)
NO_MATCH = -1


def ask_8(pattern, texts, ignore_case):
    error, offset = ctypes.c_char_p(), ctypes.c_int()
    code = PCRE.pcre_compile(pattern, 1 if ignore_case else 0, ctypes.byref(error), ctypes.byref(offset), None)
    if not code:
        return [None] * len(texts)
    answers = []
    for text in texts:
        status = PCRE.pcre_exec(code, None, text, len(text), 0, 0, None, 0)
        answers.append(True if status >= 0 else False if status == NO_MATCH else None)
    return answers


def ask_2(pattern, texts, ignore_case):
    error, offset = ctypes.c_int(), ctypes.c_size_t()
    code = PCRE2.pcre2_compile_8(pattern, len(pattern), 8 if ignore_case else 0, ctypes.byref(error), ctypes.byref(offset), None)
    if not code:
        return [None] * len(texts)
    answers = []
    for text in texts:
        status = PCRE2.pcre2_match_8(code, text, len(text), 0, 0, DATA, None)
        answers.append(True if status >= 0 else False if status == NO_MATCH else None)
    PCRE2.pcre2_code_free_8(code)
    return answers


ITEMS = ['a', 'b', 'B', 'z', '0', '_', '-', ' ', '.', '/', '\\.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\h', '\\H', '\\v', '\\V', '\\R', '\\N', '\\X',
         '\\t', '\\n', '\\a', '\\e', '\\x41', '\\x{62}', '\\x{e9}', '\\xe', '\\cA', '\\0', '\\012', '\\1', '\\2', '\\12', '\\g1', '\\g{-1}', '\\k<n>', '\\Qa.*b\\E', '\\E', '\\-', '\\/', '\\%',
         '\xe9', '\xc9', '\\\xe9', '[ab]', '[^ab]', '[a-c]', '[]a]', '[^]a]', '[a\\]b]', '[\\d.]', '[\\w-]', '[\\w-.]', '[a-]', '[-a]', '[[:alpha:]]', '[[:^alpha:]]', '[[:upper:]]', '[^[:space:]0]', '[[:punct:]]',
         '[[:nope:]]', '[:alpha:]', '[\\x41-\\x43]', '[\\b]', '[\\101]', '[a-\\d]', '[z-a]', '[\\s]', '[\\h\\v]', '[A-z]', '[\\n]', '[\\Qa-z\\E]', '{', '}', ']', '{a}', '{,2}', 'a{2}', 'a{1,2}', 'a{2,}', 'b{0}', '\\p{Lu}', '\\pL', '\\8', '\\i', '\\J', '\\L', '\\u0041']
PLACES = ['^', '$', '\\b', '\\B', '\\A', '\\Z', '\\z', '\\G', '\\K', '(?#x)', '(?i)', '(?s)', '(?m)', '(?-i)', '(?U)', '(?x)']
OPEN = ['(', '(', '(', '(?:', '(?:', '(?>', '(?=', '(?!', '(?<=', '(?<!', '(?i:', '(?-i:', '(?s:', '(?<n>', '(?P<n>', '(?|', "(?'n'", '(?(1)', '(?(?=a)', '(*', '(?R', '(?^:']
SIGNS = ['', '', '', '', '', '*', '+', '?', '*?', '+?', '??', '*+', '++', '?+', '{2}', '{1,3}', '{0,1}?', '{2,}+', '**', '{,2}', ' *']
LETTERS = 'aaabbBz0_-./ \n\t\r\xe9\xc9A-C\x0b\x85\xa0\x08{}'


def random_pattern(rng, depth=0):
    rows = []
    for _ in range(rng.choice([1, 1, 1, 2, 3]) if depth else rng.choice([1, 1, 1, 1, 2])):
        row = ''
        for _ in range(rng.randrange(0 if depth else 1, 5)):
            kind = rng.random()
            if kind < 0.6 or depth > 2 and kind < 0.85:
                row += rng.choice(ITEMS if rng.random() < 0.7 else ITEMS[:12]) + rng.choice(SIGNS)
            elif kind < 0.78 or depth > 2:
                row += rng.choice(PLACES)
            else:
                row += rng.choice(OPEN) + random_pattern(rng, depth + 1) + ')' + rng.choice(SIGNS)
        rows.append(row)
    return '|'.join(rows)


def texts_for(rng, pattern):
    plain = re.sub(r'[\\()?*+^$\[\]{}|:=!<>]', '', pattern)
    texts = ['', plain[:40]]
    for _ in range(6):
        at = rng.randrange(len(plain) + 1)
        texts.append((''.join(rng.choice(LETTERS) for _ in range(rng.randrange(4))) + plain[at:at + rng.randrange(1, 12)] + ''.join(rng.choice(LETTERS) for _ in range(rng.randrange(3))))[:40])
    texts.append(''.join(rng.choice(LETTERS) for _ in range(rng.randrange(8))))
    texts.append(plain[:20] + '\n')
    return list(dict.fromkeys(texts))


def main():
    kind = sys.argv[1]
    rng = random.Random(int(sys.argv[3]) if kind == 'random' else 1)
    if kind == 'random':
        patterns = [random_pattern(rng) for _ in range(int(sys.argv[2]))]
    else:
        patterns = open(sys.argv[2], encoding='latin1').read().split('\n')
    for pattern in patterns:
        if pattern == '' or '\0' in pattern:
            continue
        texts = texts_for(rng, pattern)
        raw = pattern.encode('latin1')
        ignore_case = rng.random() < 0.3
        asked = [text.encode('latin1') for text in texts]
        for text, in_8, in_2 in zip(texts, ask_8(raw, asked, ignore_case), ask_2(raw, asked, ignore_case)):
            print(json.dumps([pattern, text, ignore_case, in_8, in_2]))


main()
