import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { expect, test } from 'vitest'
import { runProgram } from './program.ts'
import type { Verb } from './verb.ts'

const verb = (name: string, action: () => Promise<void>): Verb => ({
  name,
  summary: `summary of ${name}`,
  register(program) {
    program.command(name).description(this.summary).option('--port <number>', 'a port').action(action)
  },
})

const call = async (args: readonly string[], action: () => Promise<void> = async () => {}) => {
  let out = ''
  let err = ''
  const code = await runProgram([verb('up', action), verb('run', action)], args, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

test('help lists every verb on one line', async () => {
  const { code, out } = await call(['--help'])
  expect(code).toBe(0)
  expect(out).toMatch(/^ {2}up .*summary of up$/m)
  expect(out).toMatch(/^ {2}run .*summary of run$/m)
  expect((await call([])).out).toBe(out)
})

test('messages omit the terminal control characters in names from a cluster', async () => {
  const { err } = await call(['run'], async () => {
    throw new CliError('Pod a\u001b[2J is not there')
  })
  expect(err).toBe('kerf: Pod a^[[2J is not there\n')
})

test('an unknown flag is a usage error, on one line', async () => {
  const { code, out, err } = await call(['run', '--prot', '1'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe("kerf: unknown option '--prot' (Did you mean --port?); see: kerf run --help\n")
})

test('an unknown verb is a usage error', async () => {
  const { code, err } = await call(['rnu'])
  expect(code).toBe(2)
  expect(err).toBe("kerf: unknown command 'rnu' (Did you mean run?); see: kerf --help\n")
})

test('a failure prints one line and exits with 1; a usage error exits with 2', async () => {
  const failed = await call(['up'], async () => {
    throw new CliError('the API server at https://127.0.0.1:1 does not answer:\n  connection refused')
  })
  expect(failed).toEqual({
    code: 1,
    out: '',
    err: 'kerf: the API server at https://127.0.0.1:1 does not answer: connection refused\n',
  })
  const wrong = await call(['up'], async () => {
    throw new UsageError('--port takes a number')
  })
  expect(wrong.code).toBe(2)
})

test('a subcommand has its own flags, even if the verb has a flag of the same name', async () => {
  const seen: unknown[] = []
  const simulate: Verb = {
    name: 'simulate',
    summary: 'what would be',
    register(program) {
      const command = program
        .command('simulate')
        .enablePositionalOptions()
        .option('-o, --output <format>', 'how', 'table')
      command.action((options) => void seen.push(['simulate', options]))
      command
        .command('remove')
        .argument('<name>')
        .option('-o, --output <format>', 'how', 'text')
        .action((name, options) => void seen.push(['remove', name, options]))
    },
  }
  const streams = { out: () => {}, err: () => {} }
  await runProgram([simulate], ['simulate', 'remove', 'a', '-o', 'json'], streams)
  await runProgram([simulate], ['simulate', '-o', 'html'], streams)
  expect(seen).toEqual([
    ['remove', 'a', { output: 'json' }],
    ['simulate', { output: 'html' }],
  ])
})

test('a verb that needs a subcommand lists its subcommands, and a missing flag of a subcommand is a usage error', async () => {
  const cloud: Verb = {
    name: 'cloud',
    summary: 'what a cloud needs',
    register(program) {
      const command = program.command('cloud')
      command.command('policy').requiredOption('--cluster-name <name>', 'name of the cluster')
      command.command('prices')
    },
  }
  const errorText = async (args: readonly string[]) => {
    let err = ''
    const code = await runProgram([cloud], args, { out: () => {}, err: (text) => (err += text) })
    return { code, err }
  }
  expect(await errorText(['cloud'])).toEqual({
    code: 2,
    err: 'kerf: cloud needs one of: policy, prices; see: kerf cloud --help\n',
  })
  expect(await errorText(['cloud', 'policy'])).toEqual({
    code: 2,
    err: "kerf: required option '--cluster-name <name>' not specified; see: kerf cloud --help\n",
  })
})
