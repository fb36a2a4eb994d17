import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { VIRTUAL_EPOCH, VirtualClock } from '../clock/virtual-clock.ts'
import { findConnection } from './connect.ts'
import { ExecCredentials } from './exec-credentials.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kerf connection '))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : stringify(content))
  return path
}

const kubeconfig = (user: object, cluster: object = {}, context: object = {}): object => ({
  'current-context': 'dev',
  clusters: [{ name: 'local', cluster: { server: 'https://127.0.0.1:6443/', ...cluster } }],
  users: [{ name: 'ada', user }],
  contexts: [{ name: 'dev', context: { cluster: 'local', user: 'ada', ...context } }],
})

const clock = new VirtualClock()

const readRuns = (at: string): number => readFileSync(join(at, 'runs'), 'utf8').length

describe('an exec plugin', () => {
  const plugin = (script: string, installHint?: string) => {
    // A shebang line cannot contain an interpreter path with spaces, so a shell script starts the interpreter.
    const path = write('plugin', `#!/bin/sh\nexec "${process.execPath}" "${write('plugin.mjs', script)}" "$@"\n`)
    chmodSync(path, 0o755)
    return {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: path,
      args: ['get-token'],
      env: { REGION: 'eu' },
      interactiveMode: 'IfAvailable' as const,
      ...(installHint && { installHint }),
    }
  }
  const answering = (status: string): string => `
    import { appendFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(join(folder, 'runs'))}, 'x')
    const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
    console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status: ${status} }))`

  test('gets information about the call, and its token is kept until it expires', async () => {
    const time = new VirtualClock()
    const expires = new Date(VIRTUAL_EPOCH + 600_000).toISOString()
    const script = answering(
      `{ token: [info.kind, process.argv[2], process.env.REGION, (globalThis.count = 1)].join('/'), expirationTimestamp: '${expires}' }`,
    )
    const credentials = new ExecCredentials(plugin(script), time)
    const [first] = await Promise.all([credentials.current(), credentials.current()])
    expect(first).toEqual({ authorization: 'Bearer ExecCredential/get-token/eu/1' })
    const runs = (): number => readRuns(folder)
    expect(runs()).toBe(1)
    await time.advance(580_000)
    await credentials.current()
    expect(runs()).toBe(1)
    await time.advance(11_000)
    await credentials.current()
    expect(runs()).toBe(2)
    credentials.invalidate()
    await credentials.current()
    expect(runs()).toBe(3)
  })

  test('may return a client certificate', async () => {
    const credentials = new ExecCredentials(
      plugin(answering(`{ clientCertificateData: 'C', clientKeyData: 'K' }`)),
      clock,
    )
    expect(await credentials.current()).toEqual({ certificate: { cert: 'C', key: 'K' } })
  })

  test.each([
    ['console.error("Token has expired"); process.exit(255)', 'exited with code 255: Token has expired'],
    ['console.log("hello")', 'its output is not JSON'],
    ['console.log("{}")', 'its output has apiVersion (none)'],
    [
      'console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", status: {} }))',
      'neither a token nor a client certificate',
    ],
    [
      'console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", status: { token: "t", clientKeyData: "K" } }))',
      'only one of client certificate and key',
    ],
  ])('has its message in the error if it fails: %s', async (script, words) => {
    const credentials = new ExecCredentials(plugin(script), clock)
    const error = await credentials.current().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CredentialPlugin' })
    expect(String(error)).toContain(words)
  })

  test('gets the terminal according to its interactive mode, and its output is shown at once', async () => {
    const shown: string[] = []
    const script = `console.error('open https://example.com/device');${answering('{ token: String(info.spec.interactive) }')}`
    const interactive = async (interactiveMode: 'Never' | 'IfAvailable' | 'Always', isInteractive: boolean) => {
      const terminal = { isInteractive, show: (text: string) => void shown.push(text) }
      const { authorization } = await new ExecCredentials(
        { ...plugin(script), interactiveMode },
        clock,
        terminal,
      ).current()
      return authorization
    }
    expect(await interactive('IfAvailable', true)).toBe('Bearer true')
    expect(shown.join('')).toBe('open https://example.com/device\n')
    expect(await interactive('IfAvailable', false)).toBe('Bearer false')
    expect(await interactive('Always', true)).toBe('Bearer true')
    expect(await interactive('Never', true)).toBe('Bearer false')
    await expect(interactive('Always', false)).rejects.toThrow('standard input is not one')
  })

  test('has a path relative to its kubeconfig, and gets its extension of the cluster and by default the terminal', async () => {
    const script = answering('{ token: JSON.stringify([info.spec.interactive, info.spec.cluster]) }')
    const { apiVersion, command } = { ...plugin(script), apiVersion: 'client.authentication.k8s.io/v1beta1' }
    const exec = { apiVersion, command: `./${basename(command)}`, provideClusterInfo: true }
    const terminal = { isInteractive: true, show: () => {} }
    const told = async (cluster: object): Promise<unknown> => {
      const file = write('config', kubeconfig({ exec }, cluster))
      const { authorization } = await findConnection({
        clock,
        env: {},
        kubeconfig: file,
        terminal,
      }).credentials.current()
      return JSON.parse(authorization?.replace('Bearer ', '') ?? '')
    }
    const extensions = [
      { name: 'other', extension: { a: 1 } },
      { name: 'client.authentication.k8s.io/exec', extension: { b: 2 } },
    ]
    expect(await told({ extensions })).toMatchObject([true, { config: { b: 2 } }])
    // As in client-go, a field without a value is present as null.
    expect(await told({})).toEqual([true, { server: 'https://127.0.0.1:6443/', config: null }])
  })

  test('has no time limit with a terminal, and a limit of one minute without', async () => {
    const script = `setTimeout(() => process.exit(3), 300)`
    const call = async (terminal?: { isInteractive: boolean; show(): void }): Promise<string> => {
      const time = new VirtualClock()
      const credentials = new ExecCredentials(plugin(script), time, terminal)
      const failure = credentials.current().catch(String)
      await time.advance(120_000)
      return String(await failure)
    }
    expect(await call()).toContain('killed by SIGKILL')
    expect(await call({ isInteractive: false, show: () => {} })).toContain('exited with code 3')
  })

  test('has its install hint in the error if it is not installed', async () => {
    const missing = { ...plugin('', 'get it from\n  example.com'), command: join(folder, 'no-such-plugin') }
    const error = await new ExecCredentials(missing, clock).current().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: `credential plugin ${missing.command}: command not found; get it from example.com`,
    })
  })
})
