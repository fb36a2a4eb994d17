import { readFileSync, writeFileSync } from 'node:fs'
import { crdManifests, type KubeObject } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'
import { verdictsUnder } from '../../../tests/integration/conformance/verdicts.ts'
import { bizflyNodeClassKind, bizflyNodeClassResource } from '../src/node-class/bizfly-node-class.ts'
import { nodeClassVerdicts } from '../src/testing/verdicts.ts'

/** The file `config/crd/karpenter.bizflycloud.com_bizflycloudnodeclasses.yaml` of Bizfly's own provider, which is not in this repository. */
const UPSTREAM = process.env['KERF_TEST_BIZFLY_DEFINITION']
/** The file to which the test writes the results of upstream's CRD. If it is not set, the test compares them with the recorded results. */
const RECORD = process.env['KERF_TEST_BIZFLY_RECORD']

const recorded = nodeClassVerdicts()
const specs = recorded.map(({ spec }) => spec)
const recordedLines = recorded.map(({ line }) => line)

describeOnCluster('BizflyCloudNodeClass on a real API server', (cluster) => {
  test('500 random objects get the same verdicts as with the CRD of Bizfly’s own provider', async () => {
    const own = crdManifests({ resources: [bizflyNodeClassResource] })[0]?.manifest as unknown as KubeObject
    expect(await verdictsUnder(kerfClient(cluster()), bizflyNodeClassKind, own, specs)).toEqual(recordedLines)
  })

  test.skipIf(UPSTREAM === undefined)('the CRD of Bizfly’s own provider gives the recorded results', async () => {
    const definition: KubeObject = parse(readFileSync(UPSTREAM ?? '', 'utf8'))
    const lines = await verdictsUnder(kerfClient(cluster()), bizflyNodeClassKind, definition, specs)
    if (RECORD !== undefined) writeFileSync(RECORD, `${lines.join('\n')}\n`)
    else expect(lines).toEqual(recordedLines)
  })
})
