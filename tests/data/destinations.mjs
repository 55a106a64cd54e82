// Makes destinations.tsv: odd web addresses and what a browser's URL parser makes of them.
//
//     node tests/data/destinations.mjs > tests/data/destinations.tsv
//
// Only needed to change the data. The parser is node's `new URL` (made with 20.20). Each line is
// INPUT, a tab, EXPECTED. INPUT is escaped: \\, \xHH for control characters. EXPECTED is "-" where the address is
// refused, by the browser or by the rules of a destination (wire "Link", Destination); else the browser's form of
// the address, in which what no URI carries is escaped, as a stored destination has it.
import { readFileSync } from 'node:fs';
import { disputed, expected } from './browser_url.mjs';

const hosts = ['example.com', 'EX.com', 'ex.com.', 'ex.com..', '.ex.com', 'a..b', '.', '..', '', 'localhost',
    '1.2.3.4', '1.2.3', '0x7f.1', '0x', '0x.', '0xg', '017.1', '08.1', '1.2.3.4.', '1.2.3.4..', '1.2.3.4.5', '256.1.1.1',
    '1.256', '1.65536.1', '1.2.65535', '1.2.65536', '4294967295', '4294967296', '99999999999999999999999', '0xffffffff',
    '0x100000000', 'foo.1', 'foo.0x1', 'foo.0x', 'foo.09', 'foo.1.', '1.foo', '1e3', '0b1', '-1', '+1', '1.-1',
    '[::1]', '[::]', '[1::2]', '[1:2:3:4:5:6:7:8]', '[1:2:3:4:5:6:7::]', '[::2:3:4:5:6:7:8]', '[1::3:4:5:6:7:8]',
    '[1:2:3:4:5:6:7:8:9]', '[::1:2:3:4:5:6:7:8]', '[:1]', '[1:]', '[::1.2.3]', '[::1.2.3.4.5]', '[::01.2.3.4]',
    '[::1.2.3.256]', '[1.2.3.4]', '[1:2:3:4:5:6:1.2.3.4]', '[1:2:3:4:5:6:7:1.2.3.4]', '[::1%25eth0]', '[::1%eth0]',
    '[::12345]', '[::g]', '[]', '[::1', '::1]', '[::1]x', '[%3A%3A1]', '[::ABCD]', '[0001::]', '[1:::2]', '[::1::]',
    '[0:0:1:0:0:0:1:0]', '[1:0:0:1:0:0:0:1]', 'a_b.com', '-a.com', 'a-.com', 'a--b.com', 'ab--c.com', 'r3---sn.com',
    ...[...'!"$%&\'()*+,;<=>[]^`{|}~ \x7f\x01\0'].map((c) => `a${c}b.com`),
    'a%20b', 'a%2', 'a%25b', 'a%00b', 'a%2eb', 'a%2Fb', 'a%3Ab', 'a%40b', '%65x.com', '%C3%BC.com', '%c3.com', '%FF.com',
    'ex%EF%BC%8Ecom', 'ü.com', 'BÜCHER.example', 'bu\u0308cher.example', 'faß.de', 'ς.gr', '☃.net', '😀.ws', '😀ß.de',
    'i❤️.ws', 'ü..com', '.ü.com', 'ü.com.', '-ü.com', 'ü-.com', 'ab--ü.com', 'xn--.com', 'xn--a.com',
    'xn--bcher-kva.example', 'XN--BCHER-KVA.example', 'xn--bcher-KVA.ü.com', 'xn--ls8h.la', 'xn--zn7c.com', 'xn--1ch.com',
    'xn--ÿ.com', 'a\u00adb.com', '\u00ad', '\u00ad.com', 'a\u200bb.com', 'a\u200db.com', 'a\u200cb.com', 'क्\u200dष.com',
    'ａｂｃ．com', '１２７．０．０．１', '０Ｘｃ０．０２５０．０１', 'ex。com', 'ex．com', 'ex｡com', '℀.com', 'a≠b.com', '㏂.com',
    '⒈.com', '½.com', '\u3000.com', 'a\u00a0b.com', '\ufffd.com', '\ue000.com', '\u{e0001}.com', 'İ.com', 'K.com', 'ſ.com',
    'ﬀ.com', 'a\u0301.com', '\u0301a.com', 'a.\u0301b.com', '日本語。ＪＰ', 'xn--wgv71a119e.jp', 'a'.repeat(64) + '.com',
    ('a'.repeat(63) + '.').repeat(5) + 'com', 'ü'.repeat(80) + '.com', 'user@ex.com', 'user:pw@ex.com', '@ex.com', ':@ex.com',
    '@@ex.com', 'a@b@c', ':x@ex.com', '::@ex.com', 'user@', '%40ex.com', 'u%3Ap@ex.com', 'ex.com@', '@', '\u2044.com',
    'a\u2024b.com', 'ⓔⓧ.com', 'ex.com\u0338', 'ǅ.com', '\u0149.com', '\u2061a.com', '\u2f80.com', 'a\u{fe0f}.com'];

const ports = ['', ':', ':80', ':443', ':0', ':00080', ':65535', ':65536', ':8080', ':80a', ':-1', ': 80', ':80:80', ':٣',
    ':99999999999999999999', ':000000000000000000000000443', '::80'];

const schemes = ['http://', 'https://', 'HTTPS://', 'hTtP://', 'http:', 'https:/', 'https:\\\\', 'http:///', 'http:\\/\\',
    'https://///', 'http:/\\', 'http//', 'http:// ', '://', '//', '\\\\', '', 'javascript://', 'javascript:',
    'JaVaScRiPt:alert(1)//', 'data:text/html,', 'vbscript:', 'file:///', 'file://', 'blob:https://', 'view-source:https://',
    'ftp://', 'ws://', 'mailto:', 'http\t://', 'ht\ntp://', 'java\nscript:', ' https://', '\0https://', '\u00a0https://',
    'http\0://', 'http%3A//', '&#104;ttp://', 'h\u0442tp://', 'https;//', 'http :', 'http::', 'http://http://'];

const tails = ['', '/', '/path', '\\path', '/a\\b\\c', '?q', '?', '#f', '#', '?#', '#?', '/?#', '/a b', '/a"b\'c', '/a<b>c',
    '/a`b{c}d', '/a|b^c', '/a[b]', '/%', '/%2', '/%zz', '/%%', '/%%41', '/%25', '/100%', '/%ü', '/%\\', '/ü',
    '/日本?日=本#語', '?a=ü', '?a=\\', '?a[]=1', '?a="\'<>', '?a=`{|}^', '?q=a b+c', '?q=%', '?a=#b#c', '#a b"c<d>`',
    '#\\^{|}', '#%', '#ü#ü', '/../a/./b//c', '/%2e%2e/a', '/.%2E', '/a/..', '/a/.', '/a/%2e', '/..%2f', '/...', '/a;b=c',
    '/:80', '/@', '//x', '/\\x', '\\\\x', '/a?b?c', '/\x01', '/\x7f', '/\0', '?\x01', '#\0', '/\u2028', '/😀', '/\ufffd', ' ',
    '  \r\n', '\u00a0', '\u3000', '/a\tb', '/a\r\nX: y', '\r\nSet-Cookie: a=b', '/a\nb', '/%0d%0a', '/&amp;&lt;', "/'?'#'",
    '/*!$&()+,;=', '/~x', '/C|/', '/c:/'];

// Random edits of ordinary addresses, the same in every run.
let state = 20260131;
const below = (bound) => {
    state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0;
    return state % bound;
};
const seeds = ['http://example.com/', 'https://1.2.3.4/a?b#c', 'http://[::1]:80/x', 'https://bücher.example:8080/ü?ü#ü',
    'http://0x7f.1/', 'https://a.b.c.d/%20%zz?x=[1]#y', 'http:\\\\h\\p', 'https:h/p', 'http://xn--bcher-kva.example/'];
const marks = [...'::////\\\\??##@@[[]]..%%^|{}`"<> \'0123456789xXabcdef', '%2e', '%2F', '%41', '%c3%bc', '%00', 'ü', 'ß',
    '。', '．', '１', '☃', '😀', '\u00ad', '\u200d', 'a\u0301', 'xn--', '0x', '://', '//', '::', '..', 'https:', 'user@',
    '\u00a0', '\u2028', '\u3000', '\0', '\x1f', '\x7f', '\r', '\n', '\t'];
function edited() {
    const text = [...seeds[below(seeds.length)]];
    for (let edits = 1 + below(4); edits > 0; --edits)
        text.splice(below(text.length + 1), below(2), ...(below(4) ? [marks[below(marks.length)]] : []));
    return text.join('');
}

const inputs = new Set();
for (const host of hosts) {
    inputs.add(`http://${host}/`);
    inputs.add(`HTTPS:\\\\${host}:8080\\a?b`);
}
for (const port of ports) for (const host of ['Ex.com', '[::1]', 'ü.com']) for (const end of ['', '/x']) inputs.add(`https://${host}${port}${end}`);
for (const scheme of schemes) for (const rest of ['Ex.com', 'ex.com:8080/a\\b?c', 'ü.com#d', '/ex.com']) inputs.add(scheme + rest);
for (const tail of tails) for (const start of ['https://ex.com', 'http:1.2.3.4:80']) inputs.add(start + tail);
for (let i = 0; i < 700; ++i) inputs.add(edited());
const real = readFileSync(new URL('urls.txt', import.meta.url), 'utf8').split('\n').filter(Boolean);
real.forEach((address, i) => { if (i % 10 === 0 || /[^\w:/.?=&%~#;,+-]/.test(address)) inputs.add(address); });

const printed = (input) =>
    input.replace(/\\/g, '\\\\').replace(/[\0-\x1f\x7f]/g, (c) => '\\x' + c.charCodeAt(0).toString(16).padStart(2, '0'));
for (const input of inputs)
    if (!disputed(input)) console.log(printed(input) + '\t' + expected(input));
