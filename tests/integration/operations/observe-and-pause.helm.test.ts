import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCondition, karpenterKinds, kinds, type NodePool } from '@kerf/apis'
import { findComponents, findHelm } from '@kerf/control-plane'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodePool } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ControllerPod } from '../guides/controller-pod.ts'
import { GuideShell } from '../guides/guide-shell.ts'
import { documentSteps } from '../guides/guide-steps.ts'
import { kerfCommand } from '../story/start-kerf.ts'
import { OperatedCluster, VALUES } from './operated-cluster.ts'

const program = findHelm() ?? 'helm'
const isMissing = 'missing' in findComponents() || findHelm() === undefined

describe.skipIf(isMissing)('the commands of docs/observe.md and docs/pause.md', () => {
  let cluster: OperatedCluster
  let controller: ControllerPod
  let shell: GuideShell

  beforeAll(async () => {
    cluster = await OperatedCluster.open()
    controller = await cluster.install()
    const programs = { kubectl: [cluster.plane.kubectlPath], kerf: kerfCommand }
    shell = new GuideShell(programs, { KUBECONFIG: cluster.plane.kubeconfig })
    // Helm runs the documented command, but with simulated nodes. The pod runs as a process of the test.
    const wrapper = join(shell.directory, '.bin', 'helm')
    const more = `[ "$1" = install ] && set -- "$@" ${VALUES.join(' ')}`
    writeFileSync(wrapper, `#!/bin/sh\n${more}\nexec '${program}' "$@"\n`)
    chmodSync(wrapper, 0o755)
    await cluster.client.create(kwokNodeClassKind, kwokNodeClass('default'))
    await cluster.client.create(karpenterKinds.NodePool, nodePool('general'))
    await cluster.kubectl('wait', '--for=condition=Ready', 'nodepool/general', '--timeout=10m')
  })
  afterAll(async () => {
    await controller?.stop()
    shell?.close()
    await cluster?.close()
  })

  const follow = async (page: string, heading: string): Promise<string> => {
    const found = documentSteps(page).filter((step) => step.heading === heading)
    expect(found.length, heading).toBe(1)
    let said = ''
    // kubectl prints no newline after the value of a JSONPath expression.
    for (const step of found) said += `${await shell.run(step)}\n`
    return said
  }
  const general = (): Promise<NodePool> => cluster.client.get(karpenterKinds.NodePool, { name: 'general' })
  const isTrue = async (type: string): Promise<boolean> => findCondition(await general(), type)?.status === 'True'

  test('an observing release is installed next to an acting one, and removing it leaves no traces', async () => {
    const before = await cluster.kubectl('get', 'all,sa,pdb,roles', '-n', 'kube-system', '-o', 'name')
    await follow('observe', 'Beside a controller that acts')
    expect(await cluster.kubectl('get', 'all,sa,pdb,roles', '-n', 'kube-system', '-o', 'name')).toBe(before)
    const observing = { name: 'kerf-observe-karpenter', namespace: 'kerf-observe' }
    const observer = await cluster.startController({ deployment: observing })
    await cluster.kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=3')
    await cluster.kubectl('set', 'resources', 'deployment', 'web', '--requests=cpu=1')
    const written = ['configmap/kerf-observed-decisions', '-n', observing.namespace]
    await cluster.kubectl('wait', '--for=create', ...written, '--timeout=10m')
    const said = await follow('observe', 'What it would have done')
    expect(JSON.parse(said.split('\n')[0] ?? '')).toMatchObject({ kind: 'launch', nodePools: ['general'] })
    const report = await follow('observe', 'Compare with what happened')
    expect(report).toMatch(/pods? in .* minutes: both decided for [1-9]/)
    expect(report).toMatch(/default\/web-/)
    await observer.stop()
    await follow('observe', 'Remove it')
    expect(await cluster.kubectl('get', 'all,sa,pdb,roles', '-n', 'kube-system', '-o', 'name')).toBe(before)
    expect(await cluster.kubectl('get', 'clusterroles,clusterrolebindings', '-o', 'name')).not.toContain('kerf-observe')
    const namespaces = async () =>
      (await cluster.client.list(kinds.Namespace)).items.map(({ metadata }) => metadata.name)
    await cluster.until('its namespace is gone', async () => !(await namespaces()).includes(observing.namespace))
  })

  test('one NodePool observes while it has the annotation', async () => {
    await follow('observe', 'One NodePool of a controller that acts')
    expect((await general()).metadata.annotations?.['kerf.sh/mode']).toBe('observe')
    const claims = (await cluster.claims()).length
    await cluster.kubectl('create', 'deployment', 'later', '--image=nginx', '--replicas=2')
    await cluster.kubectl('set', 'resources', 'deployment', 'later', '--requests=cpu=200')
    const events = async () => await cluster.kubectl('get', 'events', '-A', '-o', 'jsonpath={.items[*].reason}')
    await cluster.until('it says what it would launch', async () => (await events()).includes('WouldLaunch'))
    expect(await cluster.claims()).toHaveLength(claims)
    await cluster.kubectl('annotate', 'nodepool', 'general', 'kerf.sh/mode-')
    await cluster.until('it launches', async () => (await cluster.claims()).length > claims)
  })

  test('a pause, a cordon and immediate consolidation can be started and ended', async () => {
    expect(await follow('pause', 'During a roll-out')).toContain('by alice: roll-out of the shop')
    expect(await isTrue('Paused')).toBe(true)
    await follow('pause', 'When a NodePool must not grow')
    await cluster.until('it is cordoned', () => isTrue('Cordoned'))
    await follow('pause', 'After a night of load')
    await cluster.until('consolidateAfter is ignored', () => isTrue('ConsolidatingNow'))
    await cluster.until('the pause has ended', async () => !(await isTrue('Paused')) && !(await isTrue('Cordoned')))
  })
})
