import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLUSTER_POLICY, karpenterKinds, policyKinds } from '@kerf/apis'
import { describeWithCustomResources, type TestCluster } from '@kerf/control-plane/testing'
import { pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../tools/source-files.ts'
import { GuideShell } from '../guides/guide-shell.ts'
import { documentSteps } from '../guides/guide-steps.ts'
import { KerfProcess } from './kerf-process.ts'
import { PoolStory } from './pool-story.ts'
import { kerfCommand } from './start-kerf.ts'
import { emptied, realStory } from './story-cluster.ts'

/** Returns the YAML blocks of a guide, which a reader saves as files. */
const yamlBlocks = (guide: string): readonly string[] =>
  [...readFileSync(join(root, `docs/${guide}.md`), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  )

/** Starts Kerf on an emptied control plane, and a shell for the reader of a guide. Both stop after the test. */
const readGuide = async (shared: TestCluster, guide: string) => {
  const plane = await emptied(shared)
  const cluster = await realStory(plane, async () => {
    const kerf = KerfProcess.start(plane.kubeconfig, ['--disable-leader-election', '--log-format=json'], {
      SYSTEM_NAMESPACE: 'kube-system',
    })
    return async () => {
      await kerf.stop()
    }
  })
  onTestFinished(() => cluster.close())
  const shell = new GuideShell({ kubectl: [plane.kubectlPath], kerf: kerfCommand }, { KUBECONFIG: plane.kubeconfig })
  onTestFinished(() => shell.close())
  const steps = documentSteps(guide)
  /** Runs the only step that contains the text. */
  const follow = async (text: string): Promise<string> => {
    const [found, ...others] = steps.filter(({ commands }) => commands.includes(text))
    expect(others, text).toEqual([])
    return found === undefined ? expect.fail(`no step ${text}`) : await shell.run(found)
  }
  return { cluster, shell, steps, follow }
}

describeWithCustomResources('the guides of policies, on a real control plane', (shared) => {
  test('ceilings: the policy is checked, applied, explained, raised and removed', async () => {
    const { cluster, shell, steps, follow } = await readGuide(shared(), 'ceilings')
    const [ceilings = ''] = yamlBlocks('ceilings')
    writeFileSync(join(shell.directory, 'ceilings.yaml'), ceilings)

    const story = await PoolStory.open(cluster, 'shop')
    await story.deploy(2, { cpu: '3' })
    await story.settledAt(2)
    expect(await follow('policy lint')).toBe('no problems\n')
    expect(await follow('kubectl apply')).toContain('condition met')
    const explained = await follow('policy explain')
    expect(explained).toMatch(/^nodes +200 +2 +198$/m)
    expect(explained).toContain('No pending pod waits for a ceiling.')

    // The reader finds out from the command line why a pod waits.
    const body = { spec: { ceilings: { nodes: 2 } } }
    await cluster.client.patch(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY }, { type: 'merge', body })
    await story.deployBeside('more', { cpu: '3' })
    await story.toldBy('FailedScheduling', 'exceed the ceiling of the ClusterPolicy on nodes', 'Pod')
    const [waiting] = (await story.pods()).filter(({ spec }) => spec.nodeName === undefined)
    const why = { heading: 'why', commands: `kerf explain pod ${story.name}/${waiting?.metadata.name} || true` }
    expect(await shell.run(why)).toContain('a new node would exceed the ceiling of the ClusterPolicy on nodes')
    await cluster.until('the status to show that no node is left', async () => {
      const { status } = await cluster.client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
      return status?.ceilings?.find(({ name }) => name === 'nodes')?.headroom === '0'
    })
    expect(JSON.parse(await follow('jsonpath'))).toContainEqual({
      name: 'nodes',
      ceiling: '2',
      used: '2',
      headroom: '0',
    })

    await follow('kubectl patch')
    await cluster.until('the pod to get a node', async () => (await story.running()).length === 3)
    await follow('kubectl delete')
    expect((await cluster.client.list(policyKinds.ClusterPolicy)).items).toEqual([])
    expect((await cluster.client.list(karpenterKinds.NodeClaim)).items).toHaveLength(3)
    expect(shell.unrun(steps)).toEqual([])
  })

  test('price book: the prices are checked, planned with, applied, explained and removed', async () => {
    const { cluster, shell, steps, follow } = await readGuide(shared(), 'price-book')
    const [prices = ''] = yamlBlocks('price-book')
    const today = new Date().toISOString().slice(0, 10)
    writeFileSync(join(shell.directory, 'prices.yaml'), prices.replaceAll(/2026-11-(29|30)/g, today))

    const types = ['c-1x-amd64-linux', 'c-4x-amd64-linux']
    const story = await PoolStory.open(cluster, 'shop', { types })
    await story.deploy(1, { cpu: '3' })
    await story.settledAt(1)
    expect(await follow('policy lint')).toBe('no problems\n')
    await follow('kerf plan')
    expect(await follow('kubectl apply')).toContain('condition met')
    await cluster.until('the prices to be in force', async () => {
      const { status } = await cluster.client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
      return status?.priceBook?.prices.length === 3
    })
    const explained = await follow('policy explain')
    expect(explained).toContain('Price book: 3 prices from ConfigMap kerf-prices (prices.yaml)')
    expect(explained).toMatch(/^c-1x-amd64-linux +on-demand +every +0\.02 +/m)
    await follow('kubectl delete')
    expect((await cluster.client.list(policyKinds.ClusterPolicy)).items).toEqual([])
    expect(shell.unrun(steps)).toEqual([])
  })

  test('commitments: they are checked, planned with, applied, used, explained and removed', async () => {
    const { cluster, shell, steps, follow } = await readGuide(shared(), 'commitments')
    const [commitments = ''] = yamlBlocks('commitments')
    writeFileSync(join(shell.directory, 'commitments.yaml'), commitments)

    const story = await PoolStory.open(cluster, 'shop', { types: ['c-4x-amd64-linux', 's-4x-amd64-linux'] })
    expect(await follow('policy lint')).toBe('no problems\n')
    // The reader plans for a pod that does not run yet.
    const next = pod('next', { requests: { cpu: '3' }, spec: { tolerations: [{ operator: 'Exists' }] } })
    appendFileSync(join(shell.directory, 'cluster.yaml'), `---\n${JSON.stringify(next)}\n`)
    expect(await follow('kerf plan')).toMatch(/ c-4x-amd64-linux .* on-demand +\$0\.0000\/h +reserved-2026 /)
    expect(await follow('kubectl apply')).toContain('condition met')
    await story.deploy(1, { cpu: '3' })
    await story.settledAt(1)
    await cluster.until('the node to use the commitment', async () => {
      const { status } = await cluster.client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
      return status?.commitments?.[0]?.used === '1'
    })
    const explained = await follow('policy explain')
    expect(explained).toMatch(/^reserved-2026 +c-4x-amd64-linux +every +Active +2 +1 +1 +\$0\.0500\/h$/m)
    expect(explained).toContain('Discount negotiated: 0.9 times the price of s-*, on-demand')
    await follow('kubectl delete')
    expect((await cluster.client.list(policyKinds.ClusterPolicy)).items).toEqual([])
    expect(shell.unrun(steps)).toEqual([])
  })
})
