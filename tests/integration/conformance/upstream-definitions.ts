import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { crdManifests, type KubeObject } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { type KindVerdicts, verdictFile } from '@kerf/provider-kit/testing'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { kerfClient } from './kerf-client.ts'
import { verdictsUnder } from './verdicts.ts'

/** A folder with CRDs of public providers, which are not part of this repository. Each file is named `PLURAL.GROUP.yaml`. */
const UPSTREAM = process.env['KERF_TEST_DEFINITIONS']
/** The folder into which the tests write the verdicts of these CRDs. If it is not set, the tests compare them with the recorded ones. */
const RECORD = process.env['KERF_TEST_RECORD']

/**
 * Defines tests on a real API server: with Kerf's CRD it must give the recorded verdicts. With the CRD of the public provider, if that is
 * available, it must give them too.
 */
export const describeUpstreamDefinitions = (kinds: readonly KindVerdicts[]): void => {
  describeOnCluster('the custom resources on a real API server', (cluster) => {
    describe.each(kinds.map((each) => ({ ...each, name: each.resource.kind.kind })))('$name', (each) => {
      const { resource, verdicts } = each
      const { kind } = resource
      const recorded = verdicts.map(({ line }) => line)
      const linesUnder = (definition: KubeObject): Promise<readonly string[]> =>
        verdictsUnder(
          kerfClient(cluster()),
          kind,
          definition,
          verdicts.map(({ spec }) => spec),
        )

      test('random objects get the same verdicts as with upstream’s CRD', async () => {
        const own = crdManifests({ resources: [resource] })[0]?.manifest as unknown as KubeObject
        expect(await linesUnder(own)).toEqual(recorded)
      })

      const file = `${UPSTREAM}/${kind.plural}.${kind.group}.yaml`
      test.skipIf(UPSTREAM === undefined || !existsSync(file))(
        'upstream’s CRD gives the recorded verdicts',
        async () => {
          const lines = await linesUnder(parse(readFileSync(file, 'utf8')))
          if (RECORD !== undefined) writeFileSync(`${RECORD}/${verdictFile(resource)}`, `${lines.join('\n')}\n`)
          else expect(lines).toEqual(recorded)
        },
      )
    })
  })
}
