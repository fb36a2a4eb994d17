import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { karpenterKinds, type NodePool } from '@kerf/apis'
import type { StartedProgram } from '@kerf/control-plane'
import { untilTrue } from '@kerf/control-plane/progress'
import { SeededRandom, SystemClock } from '@kerf/runtime'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { nodePool } from '@kerf/testing'
import { afterAll, expect, test } from 'vitest'
import { bareEnvironment, startKerf } from './start-kerf.ts'
import { installCrds } from './story-cluster.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'kerf docs '))
symlinkSync(join(repository, 'examples'), join(directory, 'examples'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const documented = readFileSync(join(repository, 'docs/simulate.md'), 'utf8')
  .matchAll(/```sh\n([\s\S]*?)```/g)
  .flatMap(([, block = '']) => block.split('\n'))
  .filter((line) => line.startsWith('kerf '))
  .toArray()

/** Starts a command line like a shell. Its output file is complete when the command has ended. */
const start = (line: string, kubeconfig: string): Pick<StartedProgram, 'child' | 'ended'> => {
  const [command = '', target] = line.split(' > ')
  const env = { ...bareEnvironment(), HOME: directory, KUBECONFIG: kubeconfig }
  const { child, ended } = startKerf(command.split(' ').slice(1), { cwd: directory, env })
  if (target === undefined) return { child, ended }
  return {
    child,
    ended: ended.then((end) => {
      writeFileSync(join(directory, target), end.stdout)
      return end
    }),
  }
}

const general: NodePool = nodePool('general', {
  templateSpec: { expireAfter: 'Never' },
})

test('every command of docs/simulate.md does what it says; Ctrl-C completes a recording', async () => {
  expect(documented.length).toBeGreaterThanOrEqual(5)
  const clock = new SystemClock()
  const cluster = new SandboxCluster({ clock, random: new SeededRandom(1) })
  const server = await SandboxServer.start(cluster.api, { port: 0 })
  try {
    await cluster.start()
    await installCrds(cluster.client)
    await cluster.client.create(karpenterKinds.NodePool, general)
    const kubeconfig = join(directory, 'kubeconfig')
    writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 })
    for (const line of documented) {
      const { child, ended } = start(line, kubeconfig)
      if (line.startsWith('kerf record')) {
        const file = join(directory, line.split(' ')[2] ?? '')
        const wait = { what: `${line} to write ${file}`, everyMs: 50 }
        await untilTrue(() => existsSync(file), wait)
        child.kill('SIGINT')
      }
      const { code, stdout, stderr } = await ended
      expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' })
      expect(stdout).not.toBe('')
    }
    expect(readFileSync(join(directory, 'report.html'), 'utf8')).toContain('<svg')
  } finally {
    await server.close()
    await cluster.stop()
  }
})
