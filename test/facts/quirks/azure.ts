import { better, type Quirks } from './quirk.ts'

/** Of Azure/karpenter-provider-azure at 352646f. */
export const azure: Quirks = {
  Azure: [
    better(
      'with trusted launch arm64 sizes are offered, for which there is no image: the launch fails',
      'they are left out',
      'a class with trusted launch gets no arm64 size, which has no image for it',
    ),
    better(
      'a size that nobody knows costs 999 dollars an hour, in sums and metrics too',
      'it has no price, as anywhere in Kerf, and comes last all the same',
      'a size that others have not tried has no price',
    ),
    better(
      'a refused size hides larger ones of its family, and a second refusal gives its time to the first: 23 hours become 10 minutes',
      'every refusal ends at its own time',
      'every mark ends at its own time, whatever came after it',
    ),
  ],
}
