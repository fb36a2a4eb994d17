import { expect, test } from 'vitest'
import { formatMime, isMime, mimeHeader, mimePart, parseMime, SHELL_SCRIPT } from './mime.ts'

test('parses its own output into the same parts', () => {
  const parts = [mimePart(SHELL_SCRIPT, 'echo a\n'), mimePart('text/cloud-config', 'packages: [jq]')]
  const text = formatMime(parts)
  expect(isMime(text)).toBe(true)
  expect(parseMime(text)).toEqual({ parts, remarks: [] })
})

test('a script does not count as MIME', () => {
  expect(isMime('#!/bin/sh\necho "MIME-Version: 1.0"\nMIME-Version: 1.0')).toBe(false)
})

test('headers are unfolded; carriage returns, preamble and epilogue are dropped', () => {
  const text = [
    'Content-Type: multipart/mixed;',
    '  boundary="BOUND"',
    'MIME-Version: 1.0',
    '',
    'a preamble nobody reads',
    '--BOUND',
    'Content-Type: text/cloud-config',
    '',
    'packages: [jq]',
    '--BOUND--',
    'an epilogue',
  ].join('\r\n')
  const { parts } = parseMime(text)
  expect(parts).toEqual([mimePart('text/cloud-config', 'packages: [jq]')])
  expect(parts.map((part) => mimeHeader(part, 'content-type'))).toEqual(['text/cloud-config'])
})

test('a quoted-printable part becomes plain text, without the header that declares the encoding', () => {
  const part = 'Content-Type: text/plain\nContent-Transfer-Encoding: Quoted-Printable\n\ncaf=C3=A9 =3D a long =\nline'
  const { parts } = parseMime(`Content-Type: multipart/mixed; boundary=B\n\n--B\n${part}\n--B--`)
  expect(parts).toEqual([mimePart('text/plain', 'café = a long line')])
})

test.each([
  ['a header without colon', 'MIME-Version: 1.0\nContent-Type multipart/mixed\n\n'],
  ['no boundary', 'MIME-Version: 1.0\nContent-Type: multipart/mixed\n\n--a\n'],
  ['no content type', 'MIME-Version: 1.0\n\n--//\n\necho\n--//--'],
  ['another content type', 'Content-Type: text/plain\n\necho'],
  ['another content type that has a boundary', 'Content-Type: text/plain; boundary=a\n\n--a\n\necho\n--a--'],
  ['no end', 'Content-Type: multipart/mixed; boundary=a\n\n--a\n\necho'],
])('MIME with %s is rejected with a remedy', (_, text) => {
  expect(() => parseMime(text)).toThrow(expect.objectContaining({ name: 'UserDataError' }))
  expect(() => parseMime(text)).toThrow(/spec\.userData.*MIME.*; write /)
})

test('a document without an opening boundary has no parts, and a remark contains the missing line', () => {
  const text = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="A"\n\n--B\n\necho\n--B--'
  expect(parseMime(text)).toEqual({ parts: [], remarks: [expect.stringContaining('no line --A')] })
})

test('a boundary that occurs in a part is not used', () => {
  const parts = [{ headers: [['Content-Type', 'text/plain']], body: 'a\n--//\nb\n--//1--' }] as const
  const text = formatMime(parts)
  expect(text).toContain('boundary="//2"')
  expect(parseMime(text).parts).toEqual(parts)
})

test('a document has the format that cloud-init reads', () => {
  expect(formatMime([mimePart(SHELL_SCRIPT, '#!/bin/sh\r\necho a')])).toBe(
    [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="//"',
      '',
      '--//',
      'Content-Type: text/x-shellscript; charset="us-ascii"',
      '',
      '#!/bin/sh',
      'echo a',
      '--//--',
      '',
    ].join('\n'),
  )
})
