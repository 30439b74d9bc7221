export { answerFor, answeredNo, withAnswers, withDecisions } from './decisions';
export { markIgnored } from './ignore';
export { subjectIn } from './subject';
