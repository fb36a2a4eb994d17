import type { ProviderContext } from '@kerf/provider-contract'
import type { NodeClasses } from '@kerf/provider-kit'
import { awsEvents } from '../aws-events.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

const MESSAGE =
  'spot instances cannot be launched: the account has no service-linked role for them, and the controller is not allowed to create it; run "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com"'

/** Publishes an Event on every EC2NodeClass: the account lacks the service-linked role for spot instances. */
export const reportSpotRole = (
  { events }: Pick<ProviderContext, 'events'>,
  classes: NodeClasses<EC2NodeClass>,
): void => {
  for (const object of classes.values()) {
    events.publish({
      object,
      type: 'Warning',
      reason: awsEvents.reason('SpotServiceLinkedRoleMissing'),
      message: MESSAGE,
      dedupeValues: [MESSAGE],
    })
  }
}
