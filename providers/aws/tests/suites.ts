import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of AWS that are too expensive for `npm test`. If several suites list a file, it belongs to the first of them. */
export const suites: readonly Suite[] = [
  {
    name: 'guides of AWS',
    proves: 'that every command of the guides does what the guide says',
    files: ['providers/aws/tests/guides/'],
    except: ['providers/aws/tests/guides/same-controller.test.ts'],
    inputs: [
      'docs/',
      'providers/aws/docs/',
      'deploy/charts/',
      'examples/',
      'deploy/image/Dockerfile',
      'tests/support/control-plane/',
    ],
    runs: KERF,
    providers: ['aws'],
  },
  {
    name: 'migration of AWS',
    proves: 'that a migration that is killed, undone or rehearsed ends as the plan says',
    files: [
      'providers/aws/tests/migrate/matrix.test.ts',
      'providers/aws/tests/migrate/rehearse-command.test.ts',
      'providers/aws/tests/migrate/rehearse-recording.test.ts',
      'providers/aws/tests/migrate/rehearse.test.ts',
      'providers/aws/tests/migrate/whole-matrix.test.ts',
    ],
    inputs: ['examples/cluster-autoscaler/'],
    runs: KERF,
    providers: ['aws', 'kwok'],
  },
  {
    name: 'AWS',
    proves:
      'that the AWS SDK, the emulator and a real control plane agree with what the fakes answer, and that large and slow clusters settle',
    files: ['providers/aws/tests/'],
    except: [
      'providers/aws/tests/bad-account.test.ts',
      'providers/aws/tests/bad-input.test.ts',
      'providers/aws/tests/commands/',
      'providers/aws/tests/doctor/',
      'providers/aws/tests/facts/',
      'providers/aws/tests/guides/same-controller.test.ts',
      'providers/aws/tests/held-status.test.ts',
      'providers/aws/tests/interruption.test.ts',
      'providers/aws/tests/legacy/',
      'providers/aws/tests/migrate/',
      'providers/aws/tests/nginx.aws.test.ts',
      'providers/aws/tests/older-guides.test.ts',
      'providers/aws/tests/refused-termination.test.ts',
      'providers/aws/tests/request-limits.test.ts',
      'providers/aws/tests/take-over/upstream-hash.test.ts',
    ],
    inputs: ['deploy/charts/', 'docs/guides/', 'providers/aws/docs/', 'docs/verify.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['aws'],
  },
]
