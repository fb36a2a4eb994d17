import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { karpenterKinds, type NodePool } from '@kerf/apis'
import { SeededRandom, SystemClock } from '@kerf/runtime'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { afterAll, expect, test } from 'vitest'
import { installCrds } from './story-cluster.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'kerf docs '))
symlinkSync(join(repository, 'examples'), join(directory, 'examples'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const documented = readFileSync(join(repository, 'docs/simulate.md'), 'utf8')
  .matchAll(/```sh\n([\s\S]*?)```/g)
  .flatMap(([, block = '']) => block.split('\n'))
  .filter((line) => line.startsWith('kerf '))
  .toArray()

const kerf = (line: string, kubeconfig: string) => {
  const [command = '', target] = line.split(' > ')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(repository, 'cli/src/main.ts'), ...command.split(' ').slice(1)],
    { cwd: directory, env: { PATH: process.env['PATH'] ?? '', HOME: directory, KUBECONFIG: kubeconfig } },
  )
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => {
    if (target !== undefined) writeFileSync(join(directory, target), stdout)
    return { code: Number(code), stdout, stderr }
  })
  return { child, ended }
}

const general: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [],
        expireAfter: 'Never',
      },
    },
  },
}

test('every command of docs/simulate.md does what it says; Ctrl-C completes a recording', {
  timeout: 180_000,
}, async () => {
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
      const { child, ended } = kerf(line, kubeconfig)
      if (line.startsWith('kerf record')) {
        const file = join(directory, line.split(' ')[2] ?? '')
        await expect.poll(() => existsSync(file), { timeout: 30_000, interval: 50 }).toBe(true)
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
