import { type ConditionSet, karpenterKinds } from '@kerf/apis'
import { NodeClassStatus } from '@kerf/provider-kit'
import { source } from '@kerf/runtime'
import type { AwsDeps } from '../../aws-deps.ts'
import { NODE_CLASS_FINALIZER } from '../../labels.ts'
import { ec2NodeClassConditions } from '../../node-class/conditions.ts'
import { type EC2NodeClass, ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import {
  imagesStep,
  instanceProfileStep,
  placementGroupStep,
  reservationsStep,
  securityGroupsStep,
  subnetsStep,
} from './discovery-steps.ts'
import { releaseNodeClass } from './release-node-class.ts'
import { toStepCause } from './step.ts'
import { ValidationStep } from './validation-step.ts'

const RESERVATIONS = 'CapacityReservationsReady'

const conditionSet = (reservedCapacity: boolean): ConditionSet => ({
  ...ec2NodeClassConditions,
  dependents: ec2NodeClassConditions.dependents.filter((type) => reservedCapacity || type !== RESERVATIONS),
})

/** Resolves EC2NodeClasses (`providers/aws/docs/spec/aws-controllers.md#node-class-status`). */
export const ec2NodeClassStatus = (deps: AwsDeps): NodeClassStatus<EC2NodeClass> => {
  const { context, maker, types } = deps
  const { reservedCapacity } = deps.options
  const validation = new ValidationStep(deps)
  return new NodeClassStatus({
    context,
    kind: ec2NodeClassKind,
    conditions: conditionSet(reservedCapacity),
    steps: [
      imagesStep(deps),
      ...(reservedCapacity ? [reservationsStep(deps)] : []),
      placementGroupStep(deps),
      subnetsStep(deps),
      securityGroupsStep(deps),
      instanceProfileStep(deps),
      validation,
    ],
    causeOf: toStepCause,
    finalizer: {
      name: NODE_CLASS_FINALIZER,
      release: (nodeClass, signal) => releaseNodeClass(nodeClass, deps, signal),
    },
    forget: (name) => {
      validation.forget(name)
      types.forget(name)
      maker.forget(name)
    },
    sources: [source(context.informers.of(karpenterKinds.NodePool), () => [])],
  })
}
