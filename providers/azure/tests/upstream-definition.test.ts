import { readFileSync, writeFileSync } from 'node:fs'
import { crdManifests, type KubeObject } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { aksNodeClassKind, aksNodeClassResource } from '@kerf/provider-azure/node-class'
import { nodeClassVerdicts } from '@kerf/provider-azure/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'
import { verdictsUnder } from '../../../tests/integration/conformance/verdicts.ts'

/** The file of upstream's CRD: `pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml`. It is not part of this repository. */
const UPSTREAM = process.env['KERF_TEST_AKS_DEFINITION']
/** The file to which the results of upstream's CRD are written. If absent, the test compares them with the recorded results. */
const RECORD = process.env['KERF_TEST_AKS_RECORD']

const [own] = crdManifests({ resources: [aksNodeClassResource] })
const ownDefinition = own?.manifest as unknown as KubeObject
const specs = nodeClassVerdicts().map(({ spec }) => spec)

describeOnCluster('an AKSNodeClass on a real API server', (cluster) => {
  test('500 random objects are accepted or refused as by upstream’s CRD', async () => {
    const lines = await verdictsUnder(kerfClient(cluster()), aksNodeClassKind, ownDefinition, specs)
    expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })

  test.skipIf(UPSTREAM === undefined)('upstream’s CRD gives the recorded results', async () => {
    const definition: KubeObject = parse(readFileSync(UPSTREAM ?? '', 'utf8'))
    const lines = await verdictsUnder(kerfClient(cluster()), aksNodeClassKind, definition, specs)
    if (RECORD !== undefined) writeFileSync(RECORD, `${lines.join('\n')}\n`)
    else expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })
})
