import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The tests that run the commands of the guides of AWS. */
export const runners: GuideRunners = Object.fromEntries(
  ['first-pod', 'managed-nodes', 'fargate', 'take-over'].map((guide) => [
    `guides/${guide}`,
    { test: `providers/aws/tests/guides/${guide}.aws.test.ts`, holds: `inHarness('${guide}', ` },
  ]),
)

/** Commands that guides show with a prompt, because a test cannot run them. Each has a reason. */
export const cannotRun: Readonly<Record<string, string>> = {
  'aws autoscaling describe-auto-scaling-groups > asgs.json': 'the reader’s node groups, in AWS',
  'aws ec2 describe-launch-template-versions --launch-template-id lt-0123 > templates.json': 'the same',
  'aws eks describe-nodegroup --cluster-name shop --nodegroup-name web > web.json': 'the same',
  'kerf migrate rehearse migration --trace last-week.json.gz':
    'a week that the reader has recorded; providers/aws/tests/migrate/rehearse-recording.test.ts plays three hours',
}

/** Commands of README.md and the quick start that are not part of a tested step, each with the test that runs it. */
export const runElsewhere: Readonly<Record<string, string>> = {
  'npm run up -- -f my-manifests/ --instance-types aws':
    'providers/aws/tests/up.test.ts, with manifests and with EC2’s types',
  'npx kerf explain pod NAMESPACE/NAME --instance-types aws':
    'packages/cli/src/explain/explain-pod.test.ts; a step explains a pod of a file',
  'npx kerf crds | kubectl apply --server-side -f -': 'providers/aws/tests/report-on-cluster.test.ts',
}

/** The registry that the guides push the image to. */
export const imageRegistry = '$AWS_ACCOUNT.dkr.ecr.$AWS_REGION.amazonaws.com'
