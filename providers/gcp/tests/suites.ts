import { KERF, type Suite } from '../../../tests/support/suite.ts'

/** The test files of Google Cloud that are too expensive for `npm test`. If several suites list a file, it belongs to the first one. */
export const suites: readonly Suite[] = [
  {
    name: 'Google Cloud on the real control plane',
    proves:
      'that the upstream definition, the whole process and the certificates of kubelets work with a real API server, the commands of the guide run, and a migration from GKE can be rehearsed',
    files: [
      'providers/gcp/tests/process.gcp.test.ts',
      'providers/gcp/tests/certificates.helm.test.ts',
      'providers/gcp/tests/upstream-definition.test.ts',
      'providers/gcp/tests/guides/gcp.test.ts',
      'providers/gcp/tests/migrate/rehearsal.test.ts',
    ],
    inputs: ['deploy/charts/', 'providers/gcp/docs/guides/gcp.md', 'tests/support/control-plane/'],
    runs: KERF,
    providers: ['gcp'],
  },
]
