export { ecsNodeClassCases } from './ecs-node-class-cases.ts'
