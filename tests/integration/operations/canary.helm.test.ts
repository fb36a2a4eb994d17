import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { karpenterKinds, kinds, labels, type NodePool } from '@kerf/apis'
import { findComponents, findHelm } from '@kerf/control-plane'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../../tools/source-files.ts'
import type { ControllerPod } from '../guides/controller-pod.ts'
import type { GuideShell } from '../guides/guide-shell.ts'
import { documentSteps } from '../guides/guide-steps.ts'
import { parseDocuments } from '../install/helm.ts'
import { OperatedCluster } from './operated-cluster.ts'

const isMissing = 'missing' in findComponents() || findHelm() === undefined
/** Two copies of the quickstart's NodePool and Deployment: one for the canary workload and one for the others. */
const POOLS = ['canary', 'web'] as const

describe.skipIf(isMissing)('the commands of docs/canary.md', () => {
  let cluster: OperatedCluster
  let controller: ControllerPod
  let shell: GuideShell

  beforeAll(async () => {
    cluster = await OperatedCluster.open()
    shell = cluster.shell()
    controller = await cluster.install()
  })
  afterAll(async () => {
    await controller?.stop()
    shell?.close()
    await cluster?.close()
  })

  const follow = async (heading: string): Promise<string> => {
    const found = documentSteps('canary').filter((step) => step.heading === heading)
    expect(found.length, heading).toBeGreaterThan(0)
    let said = ''
    for (const step of found) said += await shell.run(step)
    return said
  }
  const poolOf = (name: string): Promise<NodePool> => cluster.client.get(karpenterKinds.NodePool, { name })
  const claimsOf = async (name: string): Promise<readonly string[]> =>
    (await cluster.claims())
      .filter(({ metadata }) => metadata.labels?.[labels.nodePool] === name)
      .map(({ metadata }) => metadata.name)
      .toSorted()
  const runningOf = async (app: string): Promise<number> =>
    (await cluster.client.list(kinds.Pod, { namespace: 'default' })).items.filter(
      ({ metadata, status }) => metadata.labels?.['app'] === app && status?.phase === 'Running',
    ).length
  const scale = async (app: string, count: number): Promise<void> => {
    await cluster.kubectl('scale', 'deployment', app, `--replicas=${count}`)
    await cluster.until(`${count} pods of ${app} run`, async () => (await runningOf(app)) === count)
  }

  test('two NodePools run separate pods', async () => {
    const read = (file: string) => parseDocuments(readFileSync(join(root, 'examples', 'quickstart', file), 'utf8'))
    const [pool, nodeClass] = read('nodepool.yaml')
    const [deployment] = read('nginx.yaml')
    const apply = async (object: object): Promise<void> => {
      const { code, stderr } = await cluster.plane.kubectl(['apply', '-f', '-'], JSON.stringify(object))
      if (code !== 0) throw new Error(stderr)
    }
    await apply(nodeClass ?? {})
    for (const name of POOLS) {
      const budgets = [{ nodes: '100%' }]
      const disruption = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s', budgets }
      await apply({ ...pool, metadata: { name }, spec: { ...pool?.spec, disruption } })
      const text = JSON.stringify(deployment).replaceAll('"nginx"', `"${name}"`)
      await apply(JSON.parse(text) as object)
      const selector = { spec: { template: { spec: { nodeSelector: { [labels.nodePool]: name } } } } }
      await cluster.kubectl('patch', 'deployment', name, '--type=merge', '-p', JSON.stringify(selector))
      await scale(name, 12)
    }
  })

  test('while the others are frozen, only the canary is consolidated; the others still get nodes', async () => {
    await follow('1. Ask first')
    await follow('2. Freeze the other NodePools')
    expect((await poolOf('web')).spec.disruption?.budgets).toEqual([{ nodes: '0' }, { nodes: '100%' }])
    expect((await poolOf('canary')).spec.disruption?.budgets).toEqual([{ nodes: '100%' }])
    // Several nodes per NodePool are needed, because Kerf does not replace a single spot node by another.
    for (const name of POOLS) await scale(name, 40)
    const [web, canary] = [await claimsOf('web'), await claimsOf('canary')]
    for (const claims of [web, canary]) expect(claims.length).toBeGreaterThan(1)
    await follow('3. Put Kerf in')
    await scale('web', 2)
    await scale('canary', 2)
    await cluster.until('the canary is consolidated', async () => (await claimsOf('canary')).length < canary.length)
    // Kerf considered both NodePools in the same consolidation passes, but did not replace the nodes of `web`.
    expect(await claimsOf('web')).toEqual(web)
    const watched = await follow('4. Watch')
    for (const name of web) expect(watched).not.toMatch(new RegExp(`^${name} `, 'm'))
    const kept = await shell.run({ heading: 'a frozen node', commands: `kerf explain node ${web[0]} || test $? -eq 3` })
    expect(kept).toMatch(/budget/)
  })

  test('after thawing, the others are consolidated as well, with their previous budgets', async () => {
    const before = await claimsOf('web')
    await follow('5. Thaw one after the other')
    expect((await poolOf('web')).spec.disruption?.budgets).toEqual([{ nodes: '100%' }])
    await cluster.until('the others are consolidated', async () => (await claimsOf('web')).length < before.length)
    expect(await runningOf('web')).toBe(2)
    // The command does not remove a budget that it did not add.
    await expect(follow('5. Thaw one after the other')).rejects.toThrow('the server rejected our request')
    expect((await poolOf('web')).spec.disruption?.budgets).toEqual([{ nodes: '100%' }])
  })
})
