export { type NodeClassVerdict, nodeClassVerdicts, verdictLine } from './node-class-verdicts.ts'
