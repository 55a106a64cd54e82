// Says of each line "HEX HEX", an address as given and as it is stored, whether a browser opens the same page for both:
// "ok", or what it makes of them. Instead of the stored form, "-" says that the address was refused. Begins with an
// empty line.
import { createInterface } from 'node:readline';
import { disputed, expected } from '../data/browser_url.mjs';

const text = (hex) => Buffer.from(hex, 'hex').toString('utf8');

process.stdout.write('\n');
for await (const line of createInterface({ input: process.stdin })) {
    const [given, stored] = line.split(' ');
    const address = text(given);
    const same = disputed(address) || expected(address) === (stored === '-' ? '-' : expected(text(stored)));
    process.stdout.write(same ? 'ok\n' : `a browser makes ${expected(address)} of what was given\n`);
}
