import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

test.each([
  ['UTF-8', Buffer.from('kind: Pöd')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffkind: Pöd')],
  ['little-endian UTF-16', Buffer.from('\ufeffkind: Pöd', 'utf16le')],
  ['big-endian UTF-16', swapped('\ufeffkind: Pöd')],
])('decodes %s', (_, bytes) => expect(decodeText(bytes)).toBe('kind: Pöd'))

test('replaces bytes that are not UTF-8', () => expect(decodeText(Uint8Array.of(0x61, 0xff))).toBe('a\ufffd'))
