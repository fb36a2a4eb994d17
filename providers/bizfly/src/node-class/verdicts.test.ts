import { testVerdicts } from '@kerf/provider-kit/testing/verdict-tests'
import { nodeClassVerdicts } from '../testing/verdicts.ts'

testVerdicts(nodeClassVerdicts())
