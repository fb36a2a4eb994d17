import { labels } from '@kerf/apis'
import { describeWithCustomResources, type TestCluster } from '@kerf/control-plane/testing'
import { expect, test } from 'vitest'
import { openTypes } from '../../../packages/cli/src/cluster/instance-types.ts'
import { readManifests } from '../../../packages/cli/src/manifests/read-manifests.ts'
import type { PlanDocument } from '../../../packages/cli/src/plan/plan-document.ts'
import { isDaemonPod, KerfOnCluster } from '../plans/kerf-on-cluster.ts'
import { emptied } from '../story/story-cluster.ts'
import { ask, questionFolder, questionNames, readQuestion } from './ask.ts'

const names = questionNames.filter((name) => readQuestion(name).onCluster === true)

const sizeOf = (lists: readonly { readonly pods: readonly string[] }[]): number =>
  lists.reduce((sum, { pods }) => sum + pods.length, 0)

/** Returns a description of a node that does not name its pods, for example `gpu g6.xlarge on-demand for 1`. */
const nodeText = (pool: string, type: string, capacityType: string, pods: number): string =>
  `${pool} ${type} ${capacityType} for ${pods}`

/**
 * Applies a question's manifests to a real control plane, whose controllers create the pods. Asserts that Kerf launches what `kerf plan`
 * printed.
 */
const runQuestion = async (cluster: TestCluster, name: string): Promise<void> => {
  await emptied(cluster)
  const question = readQuestion(name)
  const { nodeClaims, unschedulable } = JSON.parse((await ask(name, question, 'json')).stdout) as PlanDocument
  const { instanceTypes } = question.options ?? {}
  const manifests = await readManifests([`${questionFolder(name)}cluster.yaml`], { repeated: 'keep' })
  const { types } = await openTypes(
    instanceTypes === undefined ? {} : { instanceTypes },
    manifests.map(({ object }) => object),
  )
  const kerf = await KerfOnCluster.open(cluster.kubeconfig, types)
  try {
    await kerf.install()
    await kerf.apply(manifests)
    const wanted = sizeOf(nodeClaims) + unschedulable.length
    // All pods must be pending before Kerf starts, so that one pass plans them all.
    await kerf.until('kube-scheduler has looked at every pod', async () => {
      const pods = (await kerf.pods()).filter((pod) => !isDaemonPod(pod))
      return (
        pods.filter(({ status }) => status?.conditions?.some(({ reason }) => reason === 'Unschedulable')).length >=
        wanted
      )
    })
    kerf.start()
    const decided = (): ReadonlySet<string> =>
      new Set(kerf.decisions.flatMap((each) => (each.kind === 'refuse' ? [each.pod] : each.pods)))
    await kerf.until('Kerf has decided on every pod', async () => decided().size >= wanted)
    const decisions = [...kerf.decisions]
    const launches = decisions.filter((each) => each.kind === 'launch')
    expect(
      launches
        .map(({ nodePool, cheapest, pods }) =>
          nodeText(nodePool, cheapest.instanceType, cheapest.capacityType, pods.length),
        )
        .sort(),
    ).toEqual(
      nodeClaims
        .map(({ nodePool, cheapest, pods }) =>
          nodeText(nodePool, cheapest.instanceType, cheapest.capacityType, pods.length),
        )
        .sort(),
    )
    const refused = new Set(decisions.flatMap((each) => (each.kind === 'refuse' ? [each.pod] : [])))
    expect(refused.size).toBe(unschedulable.length)
    await kerf.until('what was decided is launched', async () => {
      const claims = await kerf.claims()
      return claims.filter(({ status }) => (status?.providerID ?? '') !== '').length >= launches.length
    })
    const launched = (await kerf.claims()).map(({ metadata }) => metadata.labels?.[labels.instanceType] ?? '')
    expect(launched.sort()).toEqual(nodeClaims.map(({ cheapest }) => cheapest.instanceType).sort())
  } finally {
    await kerf.close()
  }
}

describeWithCustomResources('Kerf launches what kerf plan printed', (cluster) => {
  test.each(names)('%s', (name) => runQuestion(cluster(), name))
})
