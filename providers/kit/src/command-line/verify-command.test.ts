import type { VerbTools } from '@kerf/provider-contract'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addVerifyFlags, type VerifyProcess, verifyAction } from './verify-command.ts'

interface Options {
  readonly output: string
  readonly region?: string
}

/** Runs `verify` with these arguments. Returns what happened, in order. */
const run = async (
  args: readonly string[],
  verify: (options: Options, process: VerifyProcess) => Promise<number>,
  connect = async (): Promise<unknown> => ({ client: 'client', close: async () => void happened.push('closed') }),
): Promise<readonly string[]> => {
  const tools = {
    streams: { env: {} },
    version: '1.2.3',
    system: async () => ({ clock: 'clock', random: 'random' }),
    connect,
    stopSignals: () => ({ signal: new AbortController().signal, dispose: () => void happened.push('disposed') }),
    setExitCode: (code: number) => void happened.push(`exit ${code}`),
  } as unknown as VerbTools
  happened.length = 0
  const command = addVerifyFlags(new Command().option('--region <id>')).action(verifyAction<Options>(tools, verify))
  await command.parseAsync([...args], { from: 'user' })
  return [...happened]
}
const happened: string[] = []

test('the command gets its own flags and the client of the cluster, and sets the exit code', async () => {
  const seen: unknown[] = []
  const order = await run(['--region', 'r', '--context', 'c', '-o', 'json'], async (options, { client, version }) => {
    seen.push(options, client, version)
    return 3
  })
  expect(seen).toEqual([{ region: 'r', output: 'json' }, 'client', '1.2.3'])
  expect(order).toEqual(['exit 3', 'closed', 'disposed'])
})

test('if the command fails, the cluster is closed and no exit code is set', async () => {
  await expect(run([], () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(happened).toEqual(['closed', 'disposed'])
})

test('a default cluster may be missing, a named one must exist', async () => {
  const clients: unknown[] = []
  const verify = async (_: Options, { client }: VerifyProcess): Promise<number> => clients.push(client) - 1
  const refused = () => Promise.reject(new Error('no such context'))
  expect(await run([], verify, refused)).toEqual(['exit 0', 'disposed'])
  expect(clients).toEqual([undefined])
  await expect(run(['--context', 'c'], verify, refused)).rejects.toThrow('no such context')
  expect(happened).toEqual(['disposed'])
})
