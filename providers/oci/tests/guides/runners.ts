import type { GuideRunners } from '../../../../tests/integration/guides/guide-runners.ts'

/** The test that runs the commands of the Oracle Cloud guide. */
export const runners: GuideRunners = {
  'guides/oci': {
    test: 'providers/oci/tests/guides/oci.test.ts',
    holds: 'expect(shell.unrun(steps)).toEqual([])',
  },
}

/** The registry to which the guide pushes the image: the tenancy's own registry. */
export const imageRegistry = '$REGION_KEY.ocir.io/$TENANCY_NAMESPACE'
