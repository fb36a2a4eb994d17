import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the Google Cloud guide. */
export const runners: GuideRunners = {
  'guides/gcp': {
    test: 'providers/gcp/tests/guides/gcp.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry to which the guide pushes the image. */
export const imageRegistry = '$CLUSTER_LOCATION-docker.pkg.dev/$PROJECT_ID'
