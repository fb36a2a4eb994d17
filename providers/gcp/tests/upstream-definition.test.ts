import { readFileSync, writeFileSync } from 'node:fs'
import { crdManifests, type KubeObject } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { gceNodeClassKind, gceNodeClassResource } from '@kerf/provider-gcp/node-class'
import { nodeClassVerdicts } from '@kerf/provider-gcp/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'
import { verdictsUnder } from '../../../tests/integration/conformance/verdicts.ts'

/** The path of upstream's CRD file `charts/karpenter/crds/karpenter.k8s.gcp_gcenodeclasses.yaml`, which is not part of this repository. */
const UPSTREAM = process.env['KERF_TEST_GCE_DEFINITION']
/**
 * The file to which the test writes the results of upstream's CRD. If the variable is not set, the test compares the results with the
 * recorded ones.
 */
const RECORD = process.env['KERF_TEST_GCE_RECORD']

const [own] = crdManifests({ resources: [gceNodeClassResource] })
const ownDefinition = own?.manifest as unknown as KubeObject
const specs = nodeClassVerdicts().map(({ spec }) => spec)

describeOnCluster('a GCENodeClass on a real API server', (cluster) => {
  test('500 random objects get the same verdicts as with upstream’s CRD', async () => {
    const lines = await verdictsUnder(kerfClient(cluster()), gceNodeClassKind, ownDefinition, specs)
    expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })

  test.skipIf(UPSTREAM === undefined)('upstream’s CRD gives the recorded results', async () => {
    const definition: KubeObject = parse(readFileSync(UPSTREAM ?? '', 'utf8'))
    const lines = await verdictsUnder(kerfClient(cluster()), gceNodeClassKind, definition, specs)
    if (RECORD !== undefined) writeFileSync(RECORD, `${lines.join('\n')}\n`)
    else expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })
})
