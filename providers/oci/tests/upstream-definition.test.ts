import { readFileSync, writeFileSync } from 'node:fs'
import { type CustomResource, crdManifests, type KubeObject, type ResourceKind } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import {
  communityNodeClassKind,
  communityNodeClassResource,
  oracleNodeClassKind,
  oracleNodeClassResource,
} from '@kerf/provider-oci/node-class'
import { nodeClassVerdicts } from '@kerf/provider-oci/testing'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'
import { verdictsUnder } from '../../../tests/integration/conformance/verdicts.ts'
import type { Upstream } from '../src/names.ts'

/**
 * The folder with the CRDs of both public providers, which are not part of this repository. The files `community.yaml` and `oracle.yaml`
 * are copies of `charts/karpenter/crds/karpenter.k8s.oracle_ocinodeclasses.yaml` and `chart/crds/oci.oraclecloud.com_ocinodeclasses.yaml`.
 */
const UPSTREAM = process.env['KERF_TEST_OCI_DEFINITIONS']
/**
 * The folder to which the test writes the results of both CRDs. If the variable is not set, the test compares the results with the recorded
 * ones.
 */
const RECORD = process.env['KERF_TEST_OCI_RECORD']

const ownDefinition = <T extends KubeObject>(resource: CustomResource<T>): KubeObject =>
  crdManifests({ resources: [resource] })[0]?.manifest as unknown as KubeObject

const sorts: readonly {
  readonly upstream: Upstream
  readonly kind: ResourceKind<KubeObject>
  readonly own: KubeObject
}[] = [
  { upstream: 'community', kind: communityNodeClassKind, own: ownDefinition(communityNodeClassResource) },
  { upstream: 'oracle', kind: oracleNodeClassKind, own: ownDefinition(oracleNodeClassResource) },
]

describeOnCluster('a node class on a real API server', (cluster) => {
  describe.each(sorts)('of the $upstream kind', ({ upstream, kind, own }) => {
    const recorded = nodeClassVerdicts(upstream)
    const specs = recorded.map(({ spec }) => spec)

    test('500 random objects get the same verdicts as with the public provider’s CRD', async () => {
      const lines = await verdictsUnder(kerfClient(cluster()), kind, own, specs)
      expect(lines).toEqual(recorded.map(({ line }) => line))
    })

    test.skipIf(UPSTREAM === undefined)('the CRD of the public provider gives the recorded results', async () => {
      const definition: KubeObject = parse(readFileSync(`${UPSTREAM}/${upstream}.yaml`, 'utf8'))
      const lines = await verdictsUnder(kerfClient(cluster()), kind, definition, specs)
      if (RECORD !== undefined) writeFileSync(`${RECORD}/${upstream}-node-class.verdicts.tsv`, `${lines.join('\n')}\n`)
      else expect(lines).toEqual(recorded.map(({ line }) => line))
    })
  })
})
