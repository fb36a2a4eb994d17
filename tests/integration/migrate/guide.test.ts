import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { karpenterKinds, kinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { migrate } from '../../../packages/cli/src/migrate/verb.ts'
import { runProgram } from '../../../packages/cli/src/program.ts'
import { realStory } from '../story/story-cluster.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const guide = readFileSync(join(root, 'docs/guides/from-cluster-autoscaler.md'), 'utf8')

/** The commands that the guide tells the reader to run unchanged. */
const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'))

/** The commands that the test has already run unchanged. */
const typed = new Set<string>()

const type = async (command: string, folder: string, more: readonly string[] = []) => {
  typed.add(command)
  let out = ''
  const before = process.exitCode
  const write = (text: unknown) => {
    out += String(text)
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write),
    vi.spyOn(process.stderr, 'write').mockReturnValue(true),
  ]
  try {
    const words = command
      .split(' ')
      .slice(1)
      .map((word) => (word === 'migration' ? folder : word === 'examples/cluster-autoscaler' ? join(root, word) : word))
    process.exitCode = 0
    const code = await runProgram([migrate], [...words, ...more], { out: write, err: write })
    return { code: code === 0 ? process.exitCode : code, out }
  } finally {
    process.exitCode = before
    for (const spy of spies) spy.mockRestore()
  }
}

describeWithCustomResources('the guide from Cluster Autoscaler', (shared) => {
  test('the guide’s commands run in order on a real API server', async () => {
    const cluster = await realStory(shared(), async () => async () => {})
    onTestFinished(() => cluster.close())
    const folder = mkdtempSync(join(tmpdir(), 'kerf-migration-'))
    rmSync(folder, { recursive: true })
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const live = ['--kubeconfig', shared().kubeconfig]
    const { client } = cluster
    for (const name of ['shop', 'data', 'backoffice'])
      await client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const [cas = '', rehearse = '', apply = '', status = '', undo = ''] = commands

    expect(await type(cas, folder)).toMatchObject({ code: 3, out: expect.stringContaining('which security groups?') })
    const plan = join(folder, 'plan.yaml')
    const text = readFileSync(plan, 'utf8')
    // The test answers the plan's questions and removes them, as the guide describes.
    expect(await type(apply.replace('2', '0'), folder, [...live, '--dry-run=false', '--yes'])).toMatchObject({
      code: 0,
    })
    expect(await type(apply, folder, [...live, '--dry-run=false', '--yes'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('questions are open'),
    })
    const before = await client.list(karpenterKinds.NodePool)
    expect(before.items).toEqual([])
    writeFileSync(plan, text.replace(/^questions:\n(?: {2}.*\n)+/m, 'questions: []\n'))

    expect(await type(rehearse, folder)).toMatchObject({ code: 0, out: expect.stringContaining('6 drain groups') })

    expect((await type(apply, folder, live)).out).toContain('Nothing was changed')
    expect((await client.list(karpenterKinds.NodePool)).items).toEqual([])
    expect(await type(apply, folder, [...live, '--dry-run=false', '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Phase 2 is done'),
    })
    expect((await client.list(karpenterKinds.NodePool)).items.map(({ metadata }) => metadata.name).sort()).toEqual([
      'apps',
      'cache',
      'web',
    ])
    expect((await type(status, folder, live)).out).toMatch(/2 pools +done +3\/3/)

    expect((await type(undo, folder, live)).out).toContain('Nothing was changed')
    expect(await type(undo, folder, [...live, '--dry-run=false', '--yes'])).toMatchObject({ code: 0 })
    expect((await client.list(karpenterKinds.NodePool)).items).toEqual([])
    expect(await type(undo.replace('2', '0'), folder, [...live, '--dry-run=false', '--yes'])).toMatchObject({ code: 0 })
    expect((await client.list(kinds.PodDisruptionBudget)).items).toEqual([])
    expect(commands.filter((command) => !typed.has(command))).toEqual([])
  })
})
