import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first, so that none of them is still running when all others are done. A file that
 * is not here comes after them; the order within the rest is Vitest's. `npm test` ends with the ten slowest.
 */
const LONGEST = [
  'test/story/node-life.test.ts',
  'test/aws/permissions.aws.test.ts',
  'test/cluster-api/cluster-api.cluster-api.test.ts',
  'test/browser/reasons.browser.test.ts',
  'test/browser/walk/every-page.browser.test.ts',
  'test/guides/take-over.aws.test.ts',
  'test/plans/plans-hold.test.ts',
  'test/plans/plans-hold-between-pods.test.ts',
  'test/install/permissions.helm.test.ts',
  'test/migrate/rehearse.test.ts',
  'test/migrate/matrix.test.ts',
  'test/migrate/guide.test.ts',
  'test/provider-faults/faults.test.ts',
  'test/story/sigkill.test.ts',
  'test/release/install.rehearsal.test.ts',
  'test/guides/first-pod.aws.test.ts',
  'test/browser/odd-clusters.browser.test.ts',
  'test/aws/nginx.aws.test.ts',
  'test/browser/pages.browser.test.ts',
  'test/conformance/control-plane.test.ts',
  'test/guides/fargate.aws.test.ts',
  'test/guides/managed-nodes.aws.test.ts',
  'test/browser/one-namespace.browser.test.ts',
  'test/aws/failing-calls.aws.test.ts',
  'test/aws/process.aws.test.ts',
  'test/first-hour/hours.test.ts',
  'test/operations/canary.helm.test.ts',
  'test/operations/upgrade.helm.test.ts',
  'test/story/nginx.test.ts',
  'test/questions/on-cluster.test.ts',
  'test/aws/nginx-sandbox.aws.test.ts',
  'test/story/up.test.ts',
  'sim/sim.test.ts',
  'test/story/node-life-sandbox.test.ts',
  'test/aws/two-hundred-pods.test.ts',
  'test/guides/image.registry.aws.test.ts',
  'test/guides/image.aws.test.ts',
  'test/browser/package.browser.test.ts',
  'test/aws/take-over/take-over.test.ts',
  'test/aws/older-guides.aws.test.ts',
  'scripts/bundle/bundle.test.ts',
  'test/story/devices.test.ts',
  'sim/exhaustive/exhaustive.test.ts',
  'test/install/release.helm.test.ts',
  'test/story/unforeseen.test.ts',
  'cli/src/simulate/flatness.test.ts',
  'test/aws/fault-runs.test.ts',
  'test/story/bad-input.test.ts',
  'providers/aws/src/conformance.test.ts',
  'bench/aws-calls/aws-calls.test.ts',
  'bench/azure-calls/azure-calls.test.ts',
  'bench/cluster-api-calls/cluster-api-calls.test.ts',
  'controllers/src/provisioning/faults.test.ts',
  'engine/src/decision/schedule.property.test.ts',
  'test/scenarios-check/scenarios.test.ts',
  'cli/src/simulate/simulate.test.ts',
  'test/facts/metrics-visible.test.ts',
  'controllers/src/gone-between.test.ts',
  'providers/kwok/src/conformance.test.ts',
]

/** Files in processes of their own before those that share one, and the longest of each first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const place = LONGEST.indexOf(moduleId.replace(root, ''))
      const inKind = place >= 0 ? place : LONGEST.length
      return project.config.isolate ? inKind : LONGEST.length + 1 + inKind
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
