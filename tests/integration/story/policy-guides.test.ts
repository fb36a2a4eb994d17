import { CLUSTER_POLICY, karpenterKinds, policyKinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { expect, test } from 'vitest'
import { PoolStory } from './pool-story.ts'
import { readGuide, yamlBlocks } from './read-guide.ts'
import type { StoryCluster } from './story-cluster.ts'

const readPolicy = (cluster: StoryCluster) => cluster.client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })

/** Returns the price list of the guide with today's date. */
const pricesOfToday = (): string => {
  const [prices = ''] = yamlBlocks('price-book')
  return prices.replaceAll(/2026-11-(29|30)/g, new Date().toISOString().slice(0, 10))
}

describeWithCustomResources('the guides of policies, on a real control plane', (shared) => {
  test('ceilings: the policy is checked, applied, explained, raised and removed', async () => {
    const { cluster, shell, steps, save, follow, ask } = await readGuide(shared(), 'ceilings')
    const [ceilings = ''] = yamlBlocks('ceilings')
    const withNodes = (nodes: number): string => ceilings.replace('nodes: 200', `nodes: ${nodes}`)
    save('ceilings.yaml', ceilings)

    const story = await PoolStory.open(cluster, 'shop')
    await story.deploy(2, { cpu: '3' })
    await story.settledAt(2)
    expect(await follow('policy lint')).toBe('no problems\n')
    expect(await follow('kubectl apply')).toContain('condition met')
    const explained = await follow('policy explain')
    expect(explained).toMatch(/^nodes +200 +2 +198$/m)
    expect(explained).toContain('No pending pod waits for a ceiling.')

    // The reader lowers the ceiling, and finds out from the command line why a pod waits.
    save('ceilings.yaml', withNodes(2))
    await follow('kubectl apply')
    await story.deployBeside('more', { cpu: '3' })
    await story.toldBy('FailedScheduling', 'exceed the ceiling of the ClusterPolicy on nodes', 'Pod')
    const [waiting] = (await story.pods()).filter(({ spec }) => spec.nodeName === undefined)
    expect(await ask(`kerf explain pod ${story.name}/${waiting?.metadata.name}`)).toContain(
      'a new node would exceed the ceiling of the ClusterPolicy on nodes',
    )
    await cluster.until('the status to show that no node is left', async () => {
      const { status } = await readPolicy(cluster)
      return status?.ceilings?.find(({ name }) => name === 'nodes')?.headroom === '0'
    })
    expect(JSON.parse(await follow('jsonpath'))).toContainEqual({
      name: 'nodes',
      ceiling: '2',
      used: '2',
      headroom: '0',
    })

    save('ceilings.yaml', withNodes(250))
    await follow('kubectl apply')
    await cluster.until('the pod to get a node', async () => (await story.running()).length === 3)
    await follow('kubectl patch')
    expect((await readPolicy(cluster)).spec).toEqual({})
    expect((await cluster.client.list(karpenterKinds.NodeClaim)).items).toHaveLength(3)
    expect(shell.unrun(steps)).toEqual([])
  })

  test('price book: the prices are checked, planned with, applied, explained and removed', async () => {
    const { cluster, shell, steps, save, follow } = await readGuide(shared(), 'price-book')
    save('prices.yaml', pricesOfToday())

    const types = ['c-1x-amd64-linux', 'c-4x-amd64-linux']
    const story = await PoolStory.open(cluster, 'shop', { types })
    await story.deploy(1, { cpu: '3' })
    await story.settledAt(1)
    expect(await follow('policy lint')).toBe('no problems\n')
    await follow('kerf plan')
    expect(await follow('kubectl apply')).toContain('condition met')
    await cluster.until(
      'the prices to be in force',
      async () => (await readPolicy(cluster)).status?.priceBook?.prices.length === 3,
    )
    const explained = await follow('policy explain')
    expect(explained).toContain('Price book: 3 prices from ConfigMap kerf-prices (prices.yaml)')
    expect(explained).toMatch(/^c-1x-amd64-linux +on-demand +every +0\.02 +/m)
    await follow('kubectl patch')
    expect((await readPolicy(cluster)).spec).toEqual({})
    expect(shell.unrun(steps)).toEqual([])
  })

  test('commitments: they are checked, planned with, applied, used, explained and removed', async () => {
    const { cluster, shell, steps, save, follow } = await readGuide(shared(), 'commitments')
    const [commitments = '', next = ''] = yamlBlocks('commitments')
    save('commitments.yaml', commitments)
    save('next.yaml', next)

    const types = ['c-4x-amd64-linux', 's-4x-amd64-linux']
    await PoolStory.open(cluster, 'shop', { types, template: { taints: [] } })
    expect(await follow('policy lint')).toBe('no problems\n')
    expect(await follow('kerf plan')).toMatch(/ c-4x-amd64-linux .* on-demand +\$0\.0000\/h +reserved-2026 /)
    expect(await follow('field-manager')).toContain('condition met')
    await follow('kubectl apply -f next.yaml')
    await cluster.until(
      'the node to use the commitment',
      async () => (await readPolicy(cluster)).status?.commitments?.[0]?.used === '1',
    )
    const explained = await follow('policy explain')
    expect(explained).toMatch(/^reserved-2026 +c-4x-amd64-linux +every +Active +2 +1 +1 +\$0\.0500\/h$/m)
    expect(explained).toContain('Discount negotiated: 0.9 times the price of s-*, on-demand')
    await follow('kubectl patch')
    expect((await readPolicy(cluster)).spec).toEqual({})
    expect(shell.unrun(steps)).toEqual([])
  })

  test('the three guides share the ClusterPolicy: none changes the section of another, in either order', async () => {
    const guides = ['ceilings', 'commitments', 'price-book']
    const { cluster, save, follow } = await readGuide(shared(), ...guides)
    const [ceilings = ''] = yamlBlocks('ceilings')
    const [commitments = ''] = yamlBlocks('commitments')
    save('ceilings.yaml', ceilings)
    save('commitments.yaml', commitments)
    save('prices.yaml', pricesOfToday())
    const parts = [
      { section: 'ceilings', apply: '--field-manager=ceilings', remove: '{"ceilings":null}' },
      { section: 'commitments', apply: '--field-manager=commitments', remove: '"commitments":null' },
      { section: 'priceBook', apply: '--field-manager=price-book', remove: '"priceBook":null' },
    ]
    for (const order of [parts, parts.toReversed()]) {
      const seen: Record<string, unknown> = {}
      for (const { section, apply } of order) {
        await follow(apply)
        const { spec } = await readPolicy(cluster)
        seen[section] = { ...spec }[section]
        expect(seen[section], section).toBeDefined()
        expect(spec).toEqual(seen)
      }
      for (const { section, remove } of order) {
        await follow(remove)
        delete seen[section]
        expect((await readPolicy(cluster)).spec).toEqual(seen)
      }
    }
  })
})
