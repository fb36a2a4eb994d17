import { readFileSync, writeFileSync } from 'node:fs'
import { crdManifests, type KubeObject } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { ecsNodeClassKind, ecsNodeClassResource } from '@kerf/provider-alibaba/node-class'
import { nodeClassVerdicts } from '@kerf/provider-alibaba/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'
import { verdictsUnder } from '../../../tests/integration/conformance/verdicts.ts'

/**
 * The path of upstream's CRD file `charts/karpenter/crds/karpenter.k8s.alibabacloud_ecsnodeclasses.yaml`, which is not part of this
 * repository.
 */
const UPSTREAM = process.env['KERF_TEST_ECS_DEFINITION']
/**
 * The file to which the test writes the results of upstream's CRD. If the variable is not set, the test compares the results with the
 * recorded ones.
 */
const RECORD = process.env['KERF_TEST_ECS_RECORD']

const [own] = crdManifests({ resources: [ecsNodeClassResource] })
const ownDefinition = own?.manifest as unknown as KubeObject
const specs = nodeClassVerdicts().map(({ spec }) => spec)

describeOnCluster('a ECSNodeClass on a real API server', (cluster) => {
  test('500 random objects get the same verdicts as with upstream’s CRD', async () => {
    const lines = await verdictsUnder(kerfClient(cluster()), ecsNodeClassKind, ownDefinition, specs)
    expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })

  test.skipIf(UPSTREAM === undefined)('upstream’s CRD gives the recorded results', async () => {
    const definition: KubeObject = parse(readFileSync(UPSTREAM ?? '', 'utf8'))
    const lines = await verdictsUnder(kerfClient(cluster()), ecsNodeClassKind, definition, specs)
    if (RECORD !== undefined) writeFileSync(RECORD, `${lines.join('\n')}\n`)
    else expect(lines).toEqual(nodeClassVerdicts().map(({ line }) => line))
  })
})
