import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The tests that run the commands of the guides of AWS. */
export const runners: GuideRunners = Object.fromEntries(
  ['first-pod', 'managed-nodes', 'fargate', 'take-over'].map((guide) => [
    `guides/${guide}`,
    { test: `providers/aws/tests/guides/${guide}.aws.test.ts`, holds: `inWorld('${guide}', ` },
  ]),
)
