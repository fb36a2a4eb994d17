import { join } from 'node:path'
import { annotations } from '@kerf/apis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../../tools/source-files.ts'
import type { ControllerPod, ControllerPodOptions } from '../guides/controller-pod.ts'
import type { GuideShell } from '../guides/guide-shell.ts'
import { documentSteps } from '../guides/guide-steps.ts'
import { OlderKerf, olderCommit } from './older-kerf.ts'
import { allDefinitions, type Kept, OperatedCluster, VALUES } from './operated-cluster.ts'

const commit = olderCommit()
/** A custom resource that the older Kerf does not have. */
const NEW_RESOURCE = 'clusterapinodeclasses'
/** A hash version that no version of Kerf writes. */
const OLD_HASH = [`${annotations.nodePoolHash}=1`, `${annotations.nodePoolHashVersion}=v1`]

/** Asserts that all earlier objects still exist unchanged. New ones are allowed. */
const expectKept = (before: Kept, after: Kept): void => {
  for (const part of ['claims', 'nodes', 'pods'] as const)
    expect([...after[part]].filter(([name]) => before[part].has(name))).toEqual([...before[part]])
}

describe.skipIf(commit === undefined)('an upgrade from an older Kerf to this one, and back', () => {
  let older: OlderKerf
  let cluster: OperatedCluster
  let controller: ControllerPod
  let shell: GuideShell

  beforeAll(async () => {
    older = OlderKerf.checkOut(commit ?? '')
    cluster = await OperatedCluster.open()
    shell = cluster.shell()
  })
  afterAll(async () => {
    await controller?.stop()
    shell?.close()
    await cluster?.close()
    older?.remove()
  })

  /** Runs the commands in docs/upgrade.md under these headings. Returns the output of the last block. */
  const follow = async (...headings: readonly string[]): Promise<string> => {
    let said = ''
    const found = documentSteps('upgrade').filter(({ heading }) => headings.includes(heading))
    expect(found.map(({ heading }) => heading)).toEqual(headings)
    for (const step of found) said = await shell.run(step)
    return said
  }
  /** Replaces the pod as in a rolling update: the new pod waits for the Lease, then the old pod is stopped. */
  const replaceController = async (start?: ControllerPodOptions['start']): Promise<void> => {
    const before = await cluster.leader()
    const next = await cluster.startController(start === undefined ? {} : { start })
    expect(await cluster.leader()).toBe(before)
    await controller.stop()
    controller = next
    await cluster.until('the new controller leads', async () => ![before, ''].includes(await cluster.leader()))
  }
  test('the older Kerf runs ten pods', async () => {
    await cluster.helm('install', 'karpenter-crd', older.chart('karpenter-crd'))
    await cluster.applyKwokClass(older.definitions())
    await cluster.kubectl('wait', '--for=condition=established', '--timeout=10m', 'crd', '--all')
    expect(await cluster.kubectl('get', 'crd', '-o', 'name')).not.toContain(NEW_RESOURCE)
    await cluster.helm('install', 'karpenter', older.chart('karpenter'), '--skip-crds', ...VALUES)
    controller = await cluster.startController({ start: (env) => older.run(env) })
    await cluster.kubectl('apply', '-f', join(root, 'examples', 'quickstart'))
    // Consolidation is off, because it would move pods.
    const calm = { spec: { disruption: { consolidateAfter: 'Never' } } }
    await cluster.kubectl('patch', 'nodepool', 'general', '--type=merge', '-p', JSON.stringify(calm))
    await cluster.scaleTo(10)
    expect((await cluster.claims()).length).toBeGreaterThan(0)
  })

  test('first the custom resources: the older Kerf works with the new definitions', async () => {
    const before = await cluster.kept()
    await follow('1. Before', '2. The custom resources')
    await cluster.applyKwokClass(allDefinitions())
    expect(await cluster.kubectl('get', 'crd', '-o', 'name')).toContain(NEW_RESOURCE)
    await cluster.scaleTo(20)
    expectKept(before, await cluster.kept())
  })

  test('then the controller: it changes no claim, node or pod, and continues the older one’s work', async () => {
    const before = await cluster.kept()
    const hashes = await cluster.hashes()
    await follow('1. Before', '3. The controller')
    await replaceController()
    // Each line of the output is a single name. A line with two words would show a changed NodeClaim, or a claim with a reason to drift.
    expect((await follow('4. After')).match(/\S+ \S+/g)).toBeNull()
    await cluster.scaleTo(32)
    const after = await cluster.kept()
    expect(after.claims.size).toBeGreaterThan(before.claims.size)
    expectKept(before, after)
    expect(await cluster.hashes()).toEqual(hashes)
    expect(await cluster.claimsThatAre('Drifted')).toEqual([])
  })

  test('hashes of an unknown version are replaced, and no node drifts because of that', async () => {
    const before = await cluster.kept()
    const hashes = await cluster.hashes()
    expect(hashes).toHaveLength(1)
    for (const kind of ['nodeclaims', 'nodepools'])
      await cluster.kubectl('annotate', kind, '--all', '--overwrite', ...OLD_HASH)
    await cluster.until('every hash is of this version again', async () => {
      const found = await cluster.hashes()
      return found.length === 1 && found[0] === hashes[0]
    })
    expect(await cluster.claimsThatAre('Drifted')).toEqual([])
    expect(await cluster.kept()).toEqual(before)
  })

  test('back to the older Kerf: it keeps the nodes that this version launched, scales, and removes them', async () => {
    const before = await cluster.kept()
    await follow('Going back')
    await replaceController((env) => older.run(env))
    await cluster.scaleTo(44)
    expectKept(before, await cluster.kept())
    expect(await cluster.claimsThatAre('Drifted')).toEqual([])
    // The newest of the earlier NodeClaims was launched by the Kerf of this checkout.
    const [newest] = (await cluster.claims())
      .filter(({ metadata }) => before.claims.has(metadata.name))
      .toSorted((a, b) => (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''))
    const name = newest?.metadata.name ?? ''
    await cluster.kubectl('delete', 'nodeclaim', name, '--timeout=10m')
    await cluster.scaleTo(44)
    expect((await cluster.kept()).claims.has(name)).toBe(false)
  })

  test('the older Kerf reads the hashes that this version wrote, and so detects drift on all claims', async () => {
    // The budget forbids replacements while the test checks for drift.
    const template = {
      spec: { template: { metadata: { labels: { team: 'web' } } }, disruption: { budgets: [{ nodes: '0' }] } },
    }
    await cluster.kubectl('patch', 'nodepool', 'general', '--type=merge', '-p', JSON.stringify(template))
    await cluster.until('every claim is drifted', async () => {
      const [all, drifted] = [await cluster.claims(), await cluster.claimsThatAre('Drifted')]
      return all.length > 0 && drifted.length === all.length
    })
  })
})
