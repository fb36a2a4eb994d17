import type { Finding, FindingStatus } from './finding.ts'

const levels: Readonly<Record<FindingStatus, 'error' | 'warning' | 'note' | 'none'>> = {
  fail: 'error',
  warn: 'warning',
  info: 'note',
  pass: 'none',
  skipped: 'none',
}

const kindByStatus: Readonly<Record<FindingStatus, 'fail' | 'pass' | 'notApplicable'>> = {
  fail: 'fail',
  warn: 'fail',
  info: 'fail',
  pass: 'pass',
  skipped: 'notApplicable',
}

/**
 * Returns the findings in SARIF 2.1.0, a format that code hosts display. A finding becomes one result for each of its objects, or a
 * single result if it has no objects.
 */
export const sarifReport = (findings: readonly Finding[]): object => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'kerf doctor',
          rules: findings.map(({ id, title, why }) => ({
            id,
            shortDescription: { text: title },
            fullDescription: { text: why },
          })),
        },
      },
      results: findings.flatMap(({ id, status, objects, seen, remedy }, ruleIndex) =>
        (objects.length === 0 ? [undefined] : objects).map((object) => ({
          ruleId: id,
          ruleIndex,
          level: levels[status],
          kind: kindByStatus[status],
          message: { text: remedy === '' ? seen : `${seen}. ${remedy}` },
          ...(object === undefined
            ? {}
            : { locations: [{ logicalLocations: [{ fullyQualifiedName: object, kind: 'resource' }] }] }),
        })),
      ),
    },
  ],
})
