import { expect, test } from 'vitest'
import { LiveScreen } from './live-screen.ts'

const terminal = () => {
  let written = ''
  const out = {
    columns: 10,
    rows: 3,
    write: (text: string): void => {
      written += text.replaceAll('\u001b', '␛')
    },
  }
  const taken = (): string => {
    const text = written
    written = ''
    return text
  }
  return { out, taken }
}

test('draws each frame over the last one on the alternate screen, cut to the current window size', () => {
  const { out, taken } = terminal()
  const screen = new LiveScreen(out)
  screen.draw(['one', 'two'])
  expect(taken()).toBe('␛[?1049h␛[?25l␛[Hone␛[K\r\ntwo␛[K␛[J')
  out.rows = 2
  screen.draw(['one', 'two', 'three'])
  expect(taken()).toBe('␛[Hone␛[K\r\ntwo␛[K␛[J')
  screen.close()
  expect(taken()).toBe('␛[?25h␛[?1049lone\ntwo\n')
  screen.close()
  expect(taken()).toBe('')
})

test('shows control sequences in a line as text', () => {
  const { out, taken } = terminal()
  new LiveScreen(out).draw(['a\u001b[2J'])
  expect(taken()).toContain('␛[Ha^[[2J␛[K')
})

test('does not clear after a full row, which would delete its last character', () => {
  const { out, taken } = terminal()
  new LiveScreen(out).draw(['0123456789', '0123456789'])
  expect(taken()).toBe('␛[?1049h␛[?25l␛[H0123456789\r\n0123456789')
})
