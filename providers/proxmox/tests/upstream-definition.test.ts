import { readFileSync, writeFileSync } from 'node:fs'
import { crdManifests, type KubeObject } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'
import { verdictsUnder } from '../../../tests/integration/conformance/verdicts.ts'
import { proxmoxVerdicts } from '../src/testing/verdicts.ts'

/** The folder `pkg/apis/crds` of Karpenter's provider, which is not part of this repository. */
const UPSTREAM = process.env['KERF_TEST_PROXMOX_DEFINITIONS']
/** The file to which the test writes the results of upstream's CRDs. If it is not set, the test compares them with the recorded results. */
const RECORD = process.env['KERF_TEST_PROXMOX_RECORD']

const all = proxmoxVerdicts()
const recordedLines = (): readonly string[] =>
  all.flatMap(({ resource, verdicts }) => verdicts.map(({ line }) => `${resource.kind.plural}\t${line}`))

describeOnCluster('the objects of Proxmox on a real API server', (cluster) => {
  const linesUnder = async (definition: (plural: string) => KubeObject): Promise<readonly string[]> => {
    const lines: string[] = []
    for (const { resource, verdicts } of all) {
      const { kind } = resource
      const specs = verdicts.map(({ spec }) => spec)
      const found = await verdictsUnder(kerfClient(cluster()), kind, definition(kind.plural), specs)
      lines.push(...found.map((line) => `${kind.plural}\t${line}`))
    }
    return lines
  }

  test('1,200 random objects get the same verdicts as with the CRDs of Karpenter’s provider', async () => {
    const manifests = crdManifests({ resources: all.map(({ resource }) => resource) })
    const own = (plural: string): KubeObject =>
      manifests.find(({ manifest }) => JSON.stringify(manifest).includes(`"plural":"${plural}"`))
        ?.manifest as unknown as KubeObject
    expect(await linesUnder(own)).toEqual(recordedLines())
  })

  test.skipIf(UPSTREAM === undefined)('the CRDs of Karpenter’s provider give the recorded results', async () => {
    const lines = await linesUnder((plural) =>
      parse(readFileSync(`${UPSTREAM}/karpenter.proxmox.sinextra.dev_${plural}.yaml`, 'utf8')),
    )
    if (RECORD !== undefined) writeFileSync(RECORD, `${lines.join('\n')}\n`)
    else expect(lines).toEqual(recordedLines())
  })
})
