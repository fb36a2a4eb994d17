import { join } from 'node:path'
import { annotations, karpenterKinds } from '@kerf/apis'
import { findComponents, findHelm } from '@kerf/control-plane'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../../tools/source-files.ts'
import type { ControllerPod } from '../guides/controller-pod.ts'
import type { GuideShell } from '../guides/guide-shell.ts'
import { documentSteps } from '../guides/guide-steps.ts'
import { OperatedCluster } from './operated-cluster.ts'

const isMissing = 'missing' in findComponents() || findHelm() === undefined
const steps = documentSteps('gitops')

describe.skipIf(isMissing)('the commands of docs/gitops.md, with a running controller', () => {
  let cluster: OperatedCluster
  let controller: ControllerPod
  let shell: GuideShell

  beforeAll(async () => {
    cluster = await OperatedCluster.open()
    shell = cluster.shell()
    controller = await cluster.install()
    // A user applies the objects before a GitOps tool manages them.
    await cluster.kubectl('apply', '-f', join(root, 'examples', 'quickstart'))
    await cluster.scaleTo(10)
  })
  afterAll(async () => {
    await controller?.stop()
    shell?.close()
    await cluster?.close()
  })

  const owners = async (): Promise<readonly string[]> => {
    const { metadata } = await cluster.client.get(karpenterKinds.NodePool, { name: 'general' })
    const fields =
      (metadata as { readonly managedFields?: readonly { readonly manager: string }[] }).managedFields ?? []
    return fields.map(({ manager }) => manager)
  }

  test('Kerf has written the documented fields into the NodePool', async () => {
    const pool = await cluster.client.get(karpenterKinds.NodePool, { name: 'general' })
    expect(pool.metadata.annotations).toHaveProperty([annotations.nodePoolHash])
    expect(pool.metadata.annotations).toHaveProperty([annotations.nodePoolHashVersion])
    expect(pool.status).toHaveProperty('conditions')
    expect(pool.spec.disruption).toMatchObject({ budgets: [{ nodes: '10%' }] })
  })

  test('no GitOps tool reports a difference or changes a node', async () => {
    const found = steps.filter(({ heading }) => heading === 'What Kerf writes into your objects')
    expect(found).toHaveLength(3)
    const before = await cluster.kept()
    // If there is a difference, the command's exit code is 1, and the block ends.
    for (const step of found.slice(0, 2)) expect(await shell.run(step)).toContain('serverside-applied')
    expect(await owners()).toEqual(expect.arrayContaining(['argocd-controller', 'kustomize-controller']))
    await cluster.scaleTo(12)
    for (const step of found.slice(0, 2)) await shell.run(step)
    expect(await shell.run(found[2] ?? { heading: '', commands: 'false' })).toBe('')
    const after = await cluster.kept()
    for (const [name, claim] of before.claims) expect(after.claims.get(name)).toBe(claim)
    expect(await cluster.claimsThatAre('Drifted')).toEqual([])
  })

  test('the diff reports an actual difference', async () => {
    const [, command = ''] = steps[0]?.commands.match(/^(kubectl diff .*)$/m) ?? []
    const changed = command.replace('-f examples/quickstart/nodepool.yaml', '-f changed.yaml')
    expect(changed).not.toBe(command)
    const commands = `sed 's/expireAfter: 720h/expireAfter: 24h/' examples/quickstart/nodepool.yaml > changed.yaml\n${changed}`
    await expect(shell.run({ heading: 'changed', commands })).rejects.toThrow(/\+ +expireAfter: 24h/)
  })

  test('NodeClaims do not get the NodePool’s own labels, such as a tool’s marker, but the NodePool owns them', async () => {
    await cluster.kubectl('label', 'nodepool', 'general', 'argocd.argoproj.io/instance=nodepools')
    await cluster.scaleTo(24)
    const pool = await cluster.client.get(karpenterKinds.NodePool, { name: 'general' })
    for (const { metadata } of await cluster.claims()) {
      expect(metadata.labels).not.toHaveProperty(['argocd.argoproj.io/instance'])
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'NodePool', uid: pool.metadata.uid }])
    }
  })

  test('the nodes of a pruned NodePool are deleted', async () => {
    await cluster.kubectl('delete', 'nodepool', 'general', '--wait=false')
    await cluster.until('every node is gone', async () => {
      const { claims, nodes } = await cluster.kept()
      return claims.size + nodes.size === 0
    })
  })
})
