import { readFileSync, writeFileSync } from 'node:fs'
import { crdManifests, type KubeObject, kinds } from '@kerf/apis'
import { untilTrue } from '@kerf/control-plane/progress'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { aksNodeClassKind, aksNodeClassResource } from '@kerf/provider-azure/node-class'
import { nodeClassVerdicts, verdictLine } from '@kerf/provider-azure/testing'
import { ApiError, type KubeClient } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'

/** The file of upstream's CRD: `pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml`. It is not part of this repository. */
const UPSTREAM = process.env['KERF_TEST_AKS_DEFINITION']
/** The file for the results of upstream's CRD; if absent, the test compares them with the recorded ones. */
const RECORD = process.env['KERF_TEST_AKS_RECORD']

const KIND = aksNodeClassKind
const [own] = crdManifests({ resources: [aksNodeClassResource] })
const ownDefinition = own?.manifest as unknown as KubeObject

const verdict = async (client: KubeClient, spec: unknown): Promise<string> => {
  const name = 'verdict'
  const object = { apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', metadata: { name }, ...{ spec } }
  try {
    const { spec: stored } = await client.create(KIND, object as KubeObject)
    await client.delete(KIND, { name })
    return verdictLine({ accepted: true, spec: stored })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 422) throw error
    return verdictLine({ accepted: false, fields: (error.details.causes ?? []).flatMap(({ field }) => field ?? []) })
  }
}

/** Waits until the kind is served or no longer served. */
const served = async (client: KubeClient, isServed: boolean): Promise<void> => {
  const isSo = async (): Promise<boolean> => {
    const answers = await client.list(KIND).then(
      () => true,
      () => false,
    )
    return answers === isServed
  }
  await untilTrue(isSo, { what: `AKSNodeClass ${isServed ? '' : 'no longer '}to be served` })
}

const verdictsUnder = async (client: KubeClient, definition: KubeObject): Promise<readonly string[]> => {
  await client.create(kinds.CustomResourceDefinition, definition as never)
  try {
    await served(client, true)
    const lines: string[] = []
    for (const { spec } of nodeClassVerdicts()) lines.push(await verdict(client, spec))
    return lines
  } finally {
    await client.delete(kinds.CustomResourceDefinition, { name: definition.metadata.name })
    await served(client, false)
  }
}

describeOnCluster('an AKSNodeClass on a real API server', (cluster) => {
  test('500 random objects are accepted or refused as by upstream’s CRD', async () => {
    const lines = await verdictsUnder(kerfClient(cluster()), ownDefinition)
    expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })

  test.skipIf(UPSTREAM === undefined)('upstream’s CRD gives the recorded results', async () => {
    const definition: KubeObject = parse(readFileSync(UPSTREAM ?? '', 'utf8'))
    const lines = await verdictsUnder(kerfClient(cluster()), definition)
    if (RECORD !== undefined) writeFileSync(RECORD, `${lines.join('\n')}\n`)
    else expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })
})
