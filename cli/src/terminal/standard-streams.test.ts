import { afterEach, expect, test, vi } from 'vitest'
import { writeControl } from './output.ts'
import { ProgressLine } from './progress-line.ts'
import { standardStreams } from './standard-streams.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const NAME = 'a\u001b[2J\u001b[31mb'

const written = (
  env: Readonly<Record<string, string>>,
  write: (streams: ReturnType<typeof standardStreams>) => void,
) => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, env[name])
  let text = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  write(standardStreams())
  return text
}

test('what a verb writes cannot steer the terminal; colours are left where there are some', () => {
  expect(written({ NO_COLOR: '1' }, ({ stdout }) => stdout.write(NAME))).toBe('a^[[2J^[[31mb')
  expect(written({ FORCE_COLOR: '1' }, ({ stdout }) => stdout.write(NAME))).toBe('a^[[2J\u001b[31mb')
})

test('sequences of Kerf itself go to the terminal as they are', () =>
  expect(written({ NO_COLOR: '1' }, ({ stdout }) => writeControl(stdout, NAME))).toBe(NAME))

test('a progress line shows what a name holds', () => {
  let text = ''
  new ProgressLine({ isTTY: true, write: (part: string) => (text += part) }).say(NAME)
  expect(text).toBe('\r\u001b[2Ka^[[2J^[[31mb …')
})
