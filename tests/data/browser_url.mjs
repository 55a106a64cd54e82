// What a browser makes of a web address given as a destination: node's `new URL`.

const escape_uri = (text) =>
    text.replace(/%(?![0-9A-Fa-f]{2})|[\\^`{|}"<> ]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

// URL.canParse would be shorter, but node 20's refuses letters like \u00e8 once V8 has optimised the call.
function parsed(text) {
    try {
        return new URL(text);
    } catch {
        return null;
    }
}

// The address that a browser opens, in which what no URI carries is escaped, as a stored destination has it; "-" where
// it is refused, by the browser or by the rules of a destination (wire "Link", Destination).
export function expected(input) {
    const text = input.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
    if (/[\t\r\n]/.test(text)) return '-';
    const url = parsed(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return '-';
    const rest = url.href.slice(url.protocol.length + 2 + url.host.length);
    return url.protocol + '//' + escape_uri(url.host) + escape_uri(rest);
}

// Where parsers differ, the data says nothing: node checks right-to-left names less than the standard does, takes
// punycode that stands for ASCII, and parsers know Unicode's versions of different years.
export const disputed = (input) =>
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u1e9e\u{10800}-\u{10fff}]/u.test(input) || /xn--[^./\\:?#]*-([./\\:?#]|$)/i.test(input);
