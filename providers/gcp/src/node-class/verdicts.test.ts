import { testVerdicts } from '@kerf/provider-kit/testing/verdict-tests'
import { nodeClassVerdicts } from '../testing/node-class-verdicts.ts'

testVerdicts(nodeClassVerdicts())
