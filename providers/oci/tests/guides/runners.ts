import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the guide of Oracle Cloud. */
export const runners: GuideRunners = {
  'guides/oci': {
    test: 'providers/oci/tests/guides/oci.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry that the guide pushes the image to: the tenancy's own repository. */
export const imageRegistry = '$REGION_KEY.ocir.io/$TENANCY_NAMESPACE'
