import { styleFor, textWidth } from '@kerf/provider-kit/terminal'
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

test('the output of a verb cannot control the terminal or change its colours, except through styles', () => {
  expect(written({ NO_COLOR: '1' }, ({ stdout }) => stdout.write(NAME))).toBe('a^[[2J^[[31mb')
  expect(written({ FORCE_COLOR: '1' }, ({ stdout }) => stdout.write(NAME))).toBe('a^[[2J^[[31mb')
  const heading = written({ FORCE_COLOR: '1' }, ({ stdout, env }) => {
    const style = styleFor(stdout, env)
    const text = style('bold', `Pod ${NAME} on ${style('green', 'n-1')}`)
    expect(textWidth(text)).toBe(textWidth(`Pod ${NAME} on n-1`))
    stdout.write(text)
  })
  expect(heading).toBe('\u001b[1mPod a^[[2J^[[31mb on \u001b[32mn-1\u001b[39m\u001b[22m')
})

test('passes control sequences of Kerf to the terminal', () =>
  expect(written({ NO_COLOR: '1' }, ({ stdout }) => writeControl(stdout, NAME))).toBe(NAME))

test('a progress line shows control sequences in a name as text', () => {
  let text = ''
  new ProgressLine({ isTTY: true, write: (part: string) => (text += part) }).show(NAME)
  expect(text).toBe('\r\u001b[2Ka^[[2J^[[31mb …')
})
