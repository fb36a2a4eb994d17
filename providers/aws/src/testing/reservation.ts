import type { CapacityReservation as Ec2Reservation } from '@aws-sdk/client-ec2'
import type { CapacityReservation } from '../node-class/node-class-traits.ts'

/** Returns a reservation with a free capacity of three instances, as EC2 describes it. */
export const reservation = (more: Partial<Ec2Reservation> = {}): Ec2Reservation => ({
  CapacityReservationId: 'cr-1',
  InstanceType: 'm5.large',
  AvailabilityZone: 'us-east-1a',
  AvailableInstanceCount: 3,
  InstanceMatchCriteria: 'targeted',
  OwnerId: '123456789012',
  State: 'active',
  ...more,
})

/** Returns the same reservation in the form of the node class status. */
export const selectedReservation = (more: Partial<CapacityReservation> = {}): CapacityReservation => ({
  id: 'cr-1',
  availabilityZone: 'us-east-1a',
  instanceMatchCriteria: 'targeted',
  instanceType: 'm5.large',
  ownerID: '123456789012',
  reservationType: 'default',
  interruptible: false,
  state: 'active',
  ...more,
})
